export { maxAgreementLength } from '../../negotiation/agreement.ts'
export { parsePayload } from '../../negotiation/draft.ts'
export { maxMessages } from '../../negotiation/envelope.ts'
export { type MergedTranscript, mergeTranscript } from '../../negotiation/mergeTranscript.ts'
export { countKept } from '../../negotiation/race.ts'
export { rememberSignatures } from '../../negotiation/signatures.ts'
export {
  type CancellableState,
  type ChainEnd,
  cancellableStates,
  type NegotiationPhase,
  type Party,
} from '../../negotiation/state.ts'
