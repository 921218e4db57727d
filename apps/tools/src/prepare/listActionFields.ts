import type { AnyAction } from '@svc/protocol/actions'
import { type Field, listFields } from './field.ts'
import { termsInput } from './termsInput.ts'

/** Lists the arguments of an action. Those that the task, the terms, the wallet or a default provides are optional. */
export function listActionFields(action: AnyAction): Field[] {
  const { shape } = action.input
  return listFields(action.input, {
    ...Object.fromEntries(
      Object.keys(action.derive ?? {}).map((name) => [
        name,
        action.swap ? 'from the pool and the price feed' : 'from the task',
      ]),
    ),
    market: 'terms' in shape ? 'from the terms, or standard' : 'standard',
    ...('arbitrator' in shape && { arbitrator: 'the wallet itself, which accepts the case' }),
    settlementDigest: 'from the terms on chain, which are shown',
    to: 'the wallet itself',
    beneficiary: 'the wallet itself',
    ...('tier' in shape && { maxAmount: 'the price on chain' }),
  }).map((field) => (field.name === 'terms' ? { ...field, schema: termsInput, ...termsWords(shape) } : field))
}

/** Both parties signed the terms of a private task, so a draft cannot stand for them. */
const termsWords = (shape: object) =>
  'posterAcceptance' in shape && { words: 'the terms document that both parties accepted, or the struct alone' }
