/** Where an agent gets the inputs of an action, by name. */
const sources: Readonly<Record<string, string>> = {
  settlementDigest: 'claimDigest of this step, or of svc_get_task with your wallet',
  permit: "the poster's signed ClaimPermit",
  proofHash: 'keccak256 of your proof of delivery (svc_prepare hashes it as text)',
  evidenceHash: 'keccak256 of your evidence (svc_prepare hashes it as text)',
  reasonHash: 'keccak256 of your reasons (svc_prepare hashes it as text)',
  workerBps: "the worker's share, 0 to 10000",
  shareBps: "the worker's share that you accept, 0 to 10000",
  forWorker: "true for the worker's share, false for the poster's",
  unfounded: 'true if no reasonable judge could have ruled as this one did',
  receipt: "the store's signed StorageReceipt for this delivery",
  arbitrator: 'the wallet of a bonded arbitrator',
  posterSignature: "the poster's signed MutualCancel",
  workerSignature: "the worker's signed MutualCancel",
}

/** Describes where the value of an input comes from. */
export const describeInputSource = (name: string) => ({ name, from: sources[name] ?? 'you' })
