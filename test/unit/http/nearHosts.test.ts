import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isNear, isOfInternet, writtenHost } from "../../../src/core/http/nearHosts.ts";

/** As the address of a server is normalised. */
function hostOf(host: string): string {
  return URL.parse(`https://${host}`)?.host ?? host;
}

describe("A host of a private network", () => {
  const near = [
    ...["127.0.0.1", "127.1", "0x7f000001", "2130706433", "10.1.2.3", "10.5", "172.16.0.1", "172.31.255.255"],
    ...["192.168.1.1", "192.168.1.1.", "169.254.169.254", "100.64.0.1", "100.100.100.200", "100.127.255.254"],
    ...["[::1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[FD00::1]"],
    ...[
      "localhost",
      "mirror",
      "mirror_node",
      "MIRROR.LOCAL",
      "mirror.local.",
      "mirror.local..",
      "mirror。local",
    ],
    ...[
      "host.docker.internal",
      "mirror.default.svc",
      "mirror.default.svc.cluster.local",
      "node.tail12.ts.net",
    ],
    ...["x.corp", "x.home", "x.home.arpa", "x.intranet", "x.private", "x.lan", "x.localdomain", "x.test"],
    ...["fritz.box", "mirror.fritz.box"],
  ];
  const within = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.0.7", "100.64.0.1"].flatMap((v4) => [
    ...["[::", "[::ffff:", "[::ffff:0:", "[64:ff9b::"].map((prefix) => `${prefix}${v4}]`),
  ]);
  within.push("[64:ff9b::a00:1]", "[2002:a00:1::1]", "[2002:c0a8:7::]", "[2002:7f00:1:2:3:4:5:6]");

  it("is told by its address, however that is written, and by a name that only its network has", () => {
    for (const host of [...near, ...within]) {
      for (const one of [hostOf(host), hostOf(`${host}:8443`)]) {
        assert.ok(isNear(one), one);
        assert.ok(!isOfInternet(one), one);
      }
    }
  });

  it("is told by its address with the zone that it has on this machine", () => {
    for (const host of ["fe80::1%eth0", "[fe80::1%eth0]", "[fe80::1%25eth0]:80", "[fe80::1%25en.0]:8545"]) {
      assert.ok(isNear(host), host);
      assert.ok(!isOfInternet(host), host);
    }
  });

  it("is none whose address or name only looks like one", () => {
    for (const host of [
      ...["10.0.0.1.evil.com", "fd00.evil.com", "fc.evil.com", "192.168.1.evil.com", "10.example.com"],
      ...[
        "local.com",
        "a.local_domain",
        "notfritz.box",
        "x.ts.net.evil.com",
        "a.tsnet.com",
        "sourcify.dev",
        "sourcify.dev.",
      ],
      ...["11.0.0.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "8.8.8.8"],
      ...["[::ffff:8.8.8.8]", "[::8.8.8.8]", "[64:ff9b::8.8.8.8]", "[2002:808:808::1]", "[2606:4700::1111]"],
      ...["[2001:4860:4860::8888]", "[fb00::1]", "[a00:1::]", "[2003:a00:1::1]", "[64:ff9c::a00:1]"],
    ]) {
      assert.ok(!isNear(hostOf(host)), host);
      assert.ok(isOfInternet(hostOf(host)), host);
    }
  });
});

describe("An address or a name that the internet has not", () => {
  it("is no public host, and no neighbour that would be told of this machine", () => {
    for (const host of [
      ...["0.1.2.3", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.4"],
      ...["224.0.0.1", "240.0.0.1", "255.255.255.255", "[::ffff:198.18.0.1]", "[64:ff9b::203.0.113.4]"],
      ...["[64:ff9b:1::a00:1]", "[100::1]", "[100:0:0:1::1]", "[2001::1]", "[2001:db8::1]", "[3fff::1]"],
      ...["[5f00::1]", "[ff02::1]", "ledger.onion", "ledger.alt", "ledger.invalid", "ledger.invalid."],
    ]) {
      assert.ok(!isOfInternet(hostOf(host)), host);
      assert.ok(!isNear(hostOf(host)), host);
    }
  });
});

describe("The host of an address that a person wrote", () => {
  it("is read with a scheme or without", () => {
    for (const [address, host] of [
      ["https://rpc.example.com/v1/{key}", "rpc.example.com"],
      [" ws://10.0.0.7:8546 ", "10.0.0.7"],
      ["10.0.0.7:8545", "10.0.0.7"],
      ["rpc.example.com/v1", "rpc.example.com"],
      ["node:8545", "node"],
      ["http://node", "node"],
      ["localhost:8545", "localhost"],
      ["localhost", "localhost"],
      ["::1", "[::1]"],
      ["[::1]:8545", "[::1]"],
      ["fe80::1%eth0", "[fe80::1]"],
      ["http://[fe80::1%25eth0]:8545/rpc", "[fe80::1]"],
      ["http://x.example/a:b%20c", "x.example"],
    ] as const)
      assert.equal(writtenHost(address), host, address);
  });

  it("is none of what is no address", () => {
    for (const text of [
      ...["", "   ", "todo", "TODO: ask", "todo:", "to be done. Later", "8545", "file:///tmp/node.ipc"],
      ...["https://<key>.rpc.x.com/", "https://rpc.x.com:99999", "rpc.x.com:99999", "http://", "://x"],
    ])
      assert.equal(writtenHost(text), undefined, text);
  });
});
