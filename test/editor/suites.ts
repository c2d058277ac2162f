// The suites of the extension host, in the order in which they run.
import "./worldSettings.ts";
import "./activation.test.ts";
import "./verification.test.ts";
import "./codeLens.test.ts";
import "./prediction.test.ts";
import "./madeOtherwise.test.ts";
import "./localVerification.test.ts";
import "./deployedCommit.test.ts";
import "./deployments.test.ts";
import "./deploymentQuestions.test.ts";
import "./fileMenus.test.ts";
import "./deploymentOffers.test.ts";
import "./verifiedSource.test.ts";
import "./ledger.test.ts";
import "./copies.test.ts";
import "./rowClicks.test.ts";
import "./uriLinks.test.ts";
import "./addressHover.test.ts";
import "./status.test.ts";
import "./review.test.ts";
import "./reviewOffers.test.ts";
import "./replacedList.test.ts";
import "./openConfiguration.test.ts";
import "./apeProject.test.ts";
import "./hardhatProject.test.ts";
import "./badInput.test.ts";
import "./createSample.test.ts";
import "./faults.test.ts";
import "./argumentObjects.test.ts";
import "./agentTools.test.ts";
import "./exportedApi.test.ts";
import "./network.test.ts";
import "./longLife.test.ts";
// A person agrees in it to what is asked once.
import "./localAgreements.test.ts";
// The extension is over afterwards.
import "./deactivation.test.ts";
