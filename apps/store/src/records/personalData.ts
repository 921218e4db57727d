import type { PersonalDataRules } from '@svc/serve'

const limits = 'Counts for limits that protect others; removed after 180 days.'
const ofTask =
  'Work of a task, which its parties and judges may need and a receipt promises: removed 180 days after the task ended.'
const nothing = { of: null }

/** What each table has about a wallet. A table without a rule fails a test. */
export const storeData: PersonalDataRules = {
  migration: nothing,
  task: nothing,
  bundle_part: nothing,
  removal: nothing,
  removed_part: nothing,
  room_total: nothing,
  used_proof: nothing,
  session: { of: 't.wallet = $1', removes: 'true', omits: ['token_hash'] },
  vault: { of: 't.wallet = $1', removes: 'true' },
  picture: { of: 't.wallet = $1', removes: 'true' },
  mail_block: { of: 't.wallet = $1', removes: 'true', key: 'blocked' },
  mail: {
    of: 't.recipient = $1 or t.sender = $1',
    // What was answered belongs to the other wallet, too.
    removes: `t.recipient = $1 or not exists (
      select from store.mail_contact a where a.sender = t.recipient and a.recipient = $1)`,
    keeps: 'Messages in the mailbox of a wallet that answered: they are its own, and are removed after 180 days.',
    key: 'recipient, number',
  },
  statement: {
    of: 't.wallet = $1',
    removes: 'cardinality(asked.running) = 0',
    keeps:
      'Work of a running task is sealed for its keys, and a revocation must go on to count. Ask again when no task runs.',
    key: 'issued_at, hash',
  },
  mailbox: {
    of: 't.wallet = $1',
    keeps: 'The last number of the mailbox: devices would miss messages if it began again.',
  },
  mail_contact: { of: 't.sender = $1 or t.recipient = $1', keeps: limits, key: 'began_at, sender, recipient' },
  mail_application: { of: 't.sender = $1', keeps: limits, key: 'task' },
  mail_newcomer: { of: 't.sender = $1 or t.recipient = $1', keeps: limits, key: 'task, sender, kind' },
  part: { of: 't.wallet = $1', keeps: ofTask, key: 'task, sha256' },
  bundle: { of: 't.author = $1', keeps: ofTask, key: 'task, hash' },
  later_grant: { of: 't.author = $1 or t.reader = $1', keeps: ofTask, key: 'bundle, reader, key, author' },
  room: { of: 't.wallet = $1', keeps: 'How much is stored; removed with the rest.' },
}
