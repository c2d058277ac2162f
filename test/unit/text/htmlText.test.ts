import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { textOfHtml } from "../../../src/core/text/htmlText.ts";
import { foreign, foreignLines } from "../../../src/core/text/shownText.ts";
import { proofSize } from "../../rig/proofSize.ts";
import { random } from "../random.ts";

/** Bodies as status pages have them, and what a person reads of them. */
const BODIES: readonly (readonly [what: string, html: string, text: string])[] = [
  ["plain text", "We are looking into it.", "We are looking into it."],
  ["lines and paragraphs of plain text", "One.\r\n\r\nTwo,\nthree.\r\n", "One.\n\nTwo,\nthree."],
  [
    "Statuspage's own line breaks",
    "Start: 17:00 UTC<br />End: 17:40 UTC<br/>Expect <b>no</b> downtime.<br>",
    "Start: 17:00 UTC\nEnd: 17:40 UTC\nExpect no downtime.",
  ],
  [
    "line breaks that are written twice, as a tag and as such",
    "One<br />\r\nTwo<br />\nThree",
    "One\nTwo\nThree",
  ],
  ["an empty line of two tags", "One<br><br />Two<BR><BR><BR><BR>Three", "One\n\nTwo\n\nThree"],
  [
    "paragraphs",
    '<p>The upgrade begins.</p>\n<p class="x">It takes 40&nbsp;minutes.</p>',
    "The upgrade begins.\n\nIt takes 40 minutes.",
  ],
  ["a paragraph that is not closed", "<p>One<p>Two", "One\n\nTwo"],
  [
    "a list",
    "Affected:<ul>\n  <li>Mirror nodes</li>\n  <li>HashScan</li>\n</ul>Others are not.",
    "Affected:\n• Mirror nodes\n• HashScan\nOthers are not.",
  ],
  [
    "lists in lists",
    "<ul><li>Mainnet<ol><li>stop</li><li>upgrade<ul><li>twice</li></ul></li></ol></li><li>Testnet</li></ul>",
    "• Mainnet\n  1. stop\n  2. upgrade\n    • twice\n• Testnet",
  ],
  ["a list that begins in nothing but another", "<ol><ul><li>One</li></ul></ol>", "• One"],
  ["an item without a list", "<li>One<li>Two</li>", "• One\n• Two"],
  ["lists that are closed more often than opened", "</ul></ol></li>One<ul><li>Two", "One\n• Two"],
  [
    "a link, with where it leads",
    'See <a href="https://hedera.com/blog?a=1&amp;b=2" target="_blank">the announcement</a>.',
    "See the announcement (https://hedera.com/blog?a=1&b=2).",
  ],
  [
    "a link that says its own address",
    '<a href="https://status.hedera.com/">status.hedera.com</a> <a href=mailto:help@x.example>help@x.example</a>',
    "status.hedera.com help@x.example",
  ],
  [
    "links that lead nowhere on the web",
    '<a href="javascript:alert(1)">click</a> <a href="command:x">here</a> <a href="#top">or</a> <a name=x>there</a>',
    "click here or there",
  ],
  ["a link that is not closed", '<a href="https://x.example/y">more', "more (https://x.example/y)"],
  ["a link without words", '<a href="https://x.example/y"></a>!', "https://x.example/y!"],
  ["a picture", '<img src="x.png" alt="A graph of errors" onerror=alert(1)>', "A graph of errors"],
  [
    "a table",
    "<table><tr><th>Network</th><th>State</th></tr><tr><td>Mainnet</td><td>up</td></tr></table>",
    "Network · State\nMainnet · up",
  ],
  ["headings", "<h3>Update</h3>It works.<hr>Done", "Update\n\nIt works.\n\nDone"],
  ["entities", "AT&amp;T &lt;3 &quot;it&#39;s&quot; &#x2014; &mdash;&hellip;", 'AT&T <3 "it\'s" — —…'],
  ["entities without a semicolon", "R&D, a&b=c, Q&A &amp &lt", "R&D, a&b=c, Q&A & <"],
  [
    "entities that are none",
    "&; &nosuch; &#; &#x; &constructor; &__proto__;",
    "&; &nosuch; &#; &#x; &constructor; &__proto__;",
  ],
  [
    "entities of characters that are none",
    "&#0;&#xD800;&#x110000;&#99999999999999999999;",
    "\ufffd\ufffd\ufffd\ufffd",
  ],
  ["Word's own quotation marks", "We&#146;re &#147;here&#148;", "We’re “here”"],
  ["what was escaped twice is escaped once", "&amp;lt;br&amp;gt; &amp;amp;amp;", "&lt;br&gt; &amp;amp;"],
  [
    "tags that were escaped are text",
    "use &lt;br /&gt; &lt;script&gt;x&lt;/script&gt;",
    "use <br /> <script>x</script>",
  ],
  [
    "scripts and styles",
    "One<script>if (a<b) { '</p>' }</script><STYLE type=x>p > a { }</style >Two<template><p>x</template>",
    "OneTwo",
  ],
  ["a script that does not end", "One<script>two<br>three", "One"],
  ["a comment", "One<!-- <b>two</b> > -- three --> four<!doctype html><?xml x?>", "One four"],
  ["a comment that does not end", "One<!-- two", "One"],
  ["attributes with > in quotes", '<p title="a > b" data-x=\'<br>">\'>One</p>', "One"],
  ["a quotation mark that does not end", '<a title="oops>One</a> two', "One two"],
  ["an apostrophe that is no quotation mark", "<p it's>One</p><p>it's two</p>", "One\n\nit's two"],
  ["a tag that does not end", "One<br /", "One"],
  ["a tag that does not end in its attribute", 'One<a href="https://x', "One"],
  ["half a tag", "One <", "One <"],
  ["a closing tag that does not end", "<b>One</b", "One"],
  [
    "what is no tag",
    "latency < 200 ms and > 100 ms; a<b; 1<2; <3; <0.0.5001>; <- ->; List<String>; <account id>; <your-node>; <https://x.example/y>; <a@b.example>",
    "latency < 200 ms and > 100 ms; a<b; 1<2; <3; <0.0.5001>; <- ->; List<String>; <account id>; <your-node>; <https://x.example/y>; <a@b.example>",
  ],
  ["elements of Word and of others' making", "<o:p>One</o:p><x-box class=y>two</x-box>", "Onetwo"],
  ["a tag in a tag", "<b<i>One</i></b>", "One"],
  ["capitals and spaces", "<P >One</P\n><Ul\t><LI\n>Two</Ul >", "One\n\n• Two"],
  ["code", "<pre>a\n  b</pre><code>npm&nbsp;i</code>", "a\n  b\n\nnpm i"],
  ["spaces of the source", "  <div>\n   One   two\t three\n  </div>  ", "One two three"],
  ["nothing", "", ""],
  ["nothing but tags", "<p><br></p><ul><li></li></ul>", ""],
];

describe("The text of HTML", () => {
  for (const [what, html, text] of BODIES)
    it(`reads ${what}`, () => {
      assert.equal(textOfHtml(html), text);
    });

  it("is neutralised like any text from elsewhere, after its tags are gone", () => {
    const html = "$<b></b>(error) [click]<i></i>(command:x) a&#x202e;b &#8203;&#7;<br>two";
    assert.equal(foreign(textOfHtml(html)), "$ (error) [click] (command:x) a\\u{202e}b \\u{200b}\\u{7} two");
    assert.deepEqual(foreignLines(textOfHtml("one<br>&lt;two&gt;")), ["one", "<two>"]);
  });

  it("takes time in proportion to its length, whatever stands in it", () => {
    const shapes = [
      "<",
      "<a ",
      '<a "',
      '<a ">" ',
      "<a '",
      "<a x='",
      '<a x=">" ',
      "<a href='x'>",
      "<ul><li>",
      "</li>",
      "<script>",
      "<script></script",
      "<!--",
      "<!",
      "&",
      "&#",
      "&amp",
      "&#x41",
      "\n",
      " \n",
      "<br>",
      "a<br> ",
      "<p> ",
      "<td>",
      "x ",
      " ",
      "<a href=https://x.example>",
      "</a>",
      "<b<i",
      "<pre>",
    ];
    const least = (html: string) => {
      const costs = Array.from({ length: 2 }, () => {
        const before = process.threadCpuUsage();
        textOfHtml(html);
        const { user, system } = process.threadCpuUsage(before);
        return (user + system) / 1000;
      });
      return Math.min(...costs);
    };
    for (const shape of shapes) {
      const [few, many] = [2 ** 15, 2 ** 18].map((size) =>
        least(shape.repeat(Math.ceil(size / shape.length))),
      );
      assert.ok(few !== undefined && many !== undefined);
      // Linear is 8, with the square 64.
      assert.ok(
        many < 24 * Math.max(few, 10),
        `32 and 256 kB of ${JSON.stringify(shape)} take ${few.toFixed(1)} and ${many.toFixed(1)} ms`,
      );
    }
  });

  it("reads a megabyte of prose in well under a second", () => {
    const html = "<p>We are <b>still</b> looking into it &amp; will tell.</p>\n".repeat(18_000);
    const before = process.threadCpuUsage();
    const text = textOfHtml(html);
    const { user, system } = process.threadCpuUsage(before);
    assert.equal(text.split("\n\n").length, 18_000);
    assert.ok((user + system) / 1000 < 1_000, `${(user + system) / 1000} ms`);
  });

  it("loses no word of the text between any tags, and leaves no tag", () => {
    const seeded = random("bodies of tags and words");
    const tags = [
      "b",
      "i",
      "p",
      "div",
      "ul",
      "ol",
      "li",
      "br",
      "h2",
      "tr",
      "td",
      "span",
      "pre",
      "a",
    ] as const;
    const attributes = ["", ' class="a > b"', " x='<br>'", " data-y", ' title="it&apos;s"', " /"] as const;
    for (let round = 0; round < proofSize({ sample: 75, whole: 30_000 }); round++) {
      const words: string[] = [];
      let html = "";
      for (let part = 0; part < 1 + seeded.below(30); part++) {
        if (seeded.below(3) > 0) {
          const close = seeded.below(2) === 0 ? "/" : "";
          html += `<${close}${seeded.pick(tags)}${seeded.pick(attributes)}>`;
        } else {
          const word = `w${words.length}`;
          words.push(word);
          html += `${seeded.pick(["", " ", "\n"])}${word}${seeded.pick([" ", "\n", "\r\n "])}`;
        }
      }
      const text = textOfHtml(html);
      assert.deepEqual(text.match(/w\d+/g) ?? [], words, html);
      assert.ok(!/[<>]/.test(text), `${html} reads as ${text}`);
      assert.equal(text, text.trim(), html);
      assert.ok(!text.includes("\n\n\n"), html);
    }
  });
});
