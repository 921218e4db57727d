export {
  type Agreement,
  InvalidAgreementError,
  maxAgreementLength,
  verifyAgreement,
  writeAgreement,
} from '../negotiation/agreement.ts'
export { type ChainEnd, type ChainOptions, checkChain, newChain } from '../negotiation/chain.ts'
export { draftEnvelope, type MessageDraft, readPayload } from '../negotiation/draft.ts'
export {
  type Envelope,
  envelopeVersion,
  hashEnvelope,
  maxMessageBytes,
  maxMessages,
  parseMessage,
  readMessage,
  type SignedMessage,
  writeMessage,
} from '../negotiation/envelope.ts'
export { applyMessage, foldTranscript } from '../negotiation/fold.ts'
export type { MessagePayload, MessagePayloadJson } from '../negotiation/messages/index.ts'
export { type MessageType, messageTypes } from '../negotiation/messageTypes.ts'
export { BrokenTranscriptError, MessageRefusedError } from '../negotiation/refusal.ts'
export {
  allowedMessages,
  type NegotiationRole,
  type NegotiationRule,
  negotiationOutcomes,
  negotiationRules,
} from '../negotiation/rules.ts'
export { envelopeTypedData, sealMessage } from '../negotiation/seal.ts'
export {
  orContractWallet,
  type SignatureCheck,
  type VerifySignature,
  verifyKeySignature,
} from '../negotiation/signatures.ts'
export {
  type Acceptance,
  type Negotiation,
  type NegotiationPhase,
  negotiationPhases,
  type Party,
} from '../negotiation/state.ts'
