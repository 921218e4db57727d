/** Where an agent gets what an action still needs, by the name of the input. */
const sources: Readonly<Record<string, string>> = {
  settlementDigest: 'claimDigest of svc_get_task with your wallet',
  permit: "the poster's signed ClaimPermit",
  proofHash: 'keccak256 of your proof of delivery (svc-prepare hash-criteria makes it)',
  evidenceHash: 'keccak256 of your evidence (svc-prepare hash-criteria makes it)',
  reasonHash: 'keccak256 of your reasons (svc-prepare hash-criteria makes it)',
  workerBps: "the worker's share, 0 to 10000",
  arbitrator: 'the wallet of a bonded arbitrator',
  posterSignature: "the poster's signed MutualCancel",
  workerSignature: "the worker's signed MutualCancel",
}

/** What to bring for an input, and where it comes from. */
export const bringOf = (name: string) => ({ name, from: sources[name] ?? 'you' })
