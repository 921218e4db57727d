import type { PersonalDataRules } from '@svc/serve'

const nothing = { of: null }

/** What each table has about a wallet. A table without a rule fails a test. */
export const notifyData: PersonalDataRules = {
  migration: nothing,
  cursor: nothing,
  checkpoint: nothing,
  clock: nothing,
  touched: nothing,
  worker: nothing,
  mail_cursor: nothing,
  room_total: nothing,
  used_proof: nothing,
  suppressed: nothing,
  /** Goes with its subscription. */
  delivery: nothing,
  session: { of: 't.wallet = $1', removes: 'true', omits: ['token_hash'] },
  calendar: { of: 't.wallet = $1', removes: 'true', omits: ['token_hash'] },
  search: { of: 't.wallet = $1', removes: 'true', key: 'id', omits: ['words'] },
  subscription: {
    of: 't.wallet = $1',
    removes: 'true',
    key: 'id',
    // Encrypted: `listSubscriptions` shows it to its owner.
    omits: ['target', 'target_key', 'address_key'],
  },
  statement: { of: 't.wallet = $1', removes: 'true', key: 'issued_at, hash' },
  low_deposit: { of: 't.wallet = $1', removes: 'true', key: 'market' },
  notification: {
    of: 't.wallet = $1',
    removes: `asked.running is not null and (t.task is null or not
      concat('v2:', case t.market when 0 then 'standard' else 'micro' end, ':', t.task) = any(asked.running))`,
    keeps: 'About a running task: without them you would be told the same again. Ask again when it has ended.',
    key: 'seq',
  },
  verification_mail: {
    of: 't.wallet = $1',
    keeps: 'Counts for a limit that protects others; removed after a day.',
    key: 'sent_at',
    omits: ['target_key'],
  },
  room: { of: 't.wallet = $1', keeps: 'How much is stored; removed with the rest.' },
}
