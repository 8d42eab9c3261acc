/**
 * What kind of place an address is: the internet, a network of one's own, or
 * one that hands out a machine's credentials.
 *
 * @module
 */

import ip from "ipaddr.js";

/** `metadata` is never reached, `private` only when it was meant. */
export type Reach = "public" | "private" | "metadata";

/**
 * Where clouds tell machines their credentials, beside the link-local range.
 * Source: documentation of AWS, Google Cloud, Azure, Alibaba Cloud and Oracle Cloud.
 */
const METADATA_ADDRESSES: readonly string[] = [
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd00:42::42",
  "fd20:ce::254",
];

const METADATA_HOSTS: readonly string[] = [
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "instance-data",
  "instance-data.ec2.internal",
];

/** Names that can only mean a network of one's own. Source: RFC 6761, 6762, 8375 and custom. */
const INTERNAL_NAME =
  /^[^.]+$|\.(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa|test|svc|cluster\.local)$/;

/** A host without brackets, final dot and capitals. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Whether a name is one under which clouds tell machines their credentials. */
export function isMetadataHost(host: string): boolean {
  return METADATA_HOSTS.includes(plainHost(host));
}

/** Whether whoever reads a host sees that it means a network of one's own. */
export function isPlainlyInternal(host: string): boolean {
  const plain = plainHost(host);
  return ip.isValid(plain) || INTERNAL_NAME.test(plain);
}

/** Tells what kind of place an IP address is; one that can't be read is no public one. */
export function reachOf(address: string): Reach {
  const plain = plainHost(address).replace(/%.*$/, "");
  if (!ip.isValid(plain)) return "private";
  const parsed = ip.process(plain);
  const known = METADATA_ADDRESSES.some((known) =>
    ip.parse(known).toString() === parsed.toString()
  );
  const range = parsed.range();
  if (known || range === "linkLocal") return "metadata";
  if (range === "rfc6052") {
    // An IPv4 address in IPv6 clothes (RFC 6052): its last four bytes.
    return reachOf(parsed.toByteArray().slice(-4).join("."));
  }
  return range === "unicast" ? "public" : "private";
}
