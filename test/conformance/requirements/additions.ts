import { type Addition, world } from './requirement.ts'

/** What we promise beyond the specification. */
export const additions: readonly Addition[] = [
  {
    says: 'The open list has exactly the tasks that a claim would accept now',
    tests: [
      'test/index/claimable.test.ts > every listed open task can be claimed and every task that can be claimed is listed, over index and chain',
    ],
  },
  {
    says: 'Each route answers the examples of its contract',
    tests: [world('%s > answers the examples of the contract')],
  },
  { says: 'Each route answers one method, and any other with 405', tests: [world('%s > answers one method only')] },
  {
    says: 'A URL of more than 4,096 characters is 414',
    tests: [world('%s > refuses a URL of more than 4,096 characters')],
  },
  {
    says: 'Too many requests of one client are 429',
    tests: [
      world('%s > refuses more requests than one client may send'),
      'test/api/operations.test.ts > a client > over its limit must wait, learns how long, and can still be probed',
    ],
  },
  {
    says: 'An internal error is 500 and says nothing of itself',
    tests: [world('%s > says nothing about an internal error')],
  },
  {
    says: 'Too many requests at once are 503',
    tests: [world('%s > refuses more requests at once than it can work on')],
  },
  { says: 'A parameter that is given twice is 400', tests: [world('%s > refuses a parameter that is given twice')] },
  {
    says: 'A market other than standard and micro is 400 on every route',
    tests: [world('%s > refuses any other market')],
  },
  {
    says: 'A read whose ETag still holds is 304',
    tests: [world('%s > answers an ETag that still holds without a body')],
  },
  {
    says: 'A read is 503 when neither index nor chain can be read',
    tests: [world('%s > says when neither index nor chain can be read')],
  },
  {
    says: 'A body that is not a JSON object is 400, too large 413, of another type 415',
    tests: [
      world('%s > refuses a body that is not a JSON object'),
      world('%s > refuses a body that is too large'),
      world('%s > refuses another content type than application/json'),
    ],
  },
  {
    says: 'Every status in the contract is answered by a test',
    tests: [world('every status that the contract documents was answered')],
  },
  {
    says: 'What is listed as a step of a wallet goes through when it is prepared',
    tests: [world('actions > what is listed for a wallet goes through when it is prepared')],
  },
  {
    says: 'Steps and actions on an unknown task are 404; an input that cannot be read is named',
    tests: [
      world('actions > a task that does not exist and its steps are 404'),
      world('actions > an action on a task that does not exist is 404'),
      world('actions > an input that cannot be read is named'),
    ],
  },
  {
    says: 'A chat gateway that fails is 502, one that hangs 504',
    tests: [
      world('chat > a failing chat gateway is 502, without its details'),
      world('chat > a chat gateway that hangs is 504'),
    ],
  },
  {
    says: 'A post counts once, and only if the chain confirms it',
    checks: ['POST /api/posting/record'],
  },
  {
    says: 'A payment grants its plan only if the chain confirms it',
    checks: ['POST /api/posting/upgrade'],
  },
  {
    says: 'The RPC URL of the operator is never shown',
    checks: ['GET /api/site-config'],
    tests: ['apps/api/src/env.test.ts > a public RPC that looks keyed is refused: %s'],
  },
  {
    says: 'Events can be read by cursor and as a stream that reports reorganisations',
    tests: [
      'test/api/events.test.ts > pages from the start are the whole history, and a cursor continues where the last page ended',
      'test/api/events.test.ts > a stream sends events, reports reorganisations, and can be resumed',
    ],
  },
  {
    says: 'A receipt is accepted under either header name, once per request',
    tests: [
      'test/gateway/receipts.test.ts > hostile receipts > the valid receipt is accepted under both names, in a payment, and with either signature form',
      'test/gateway/receipts.test.ts > a thousand concurrent claims with one receipt make one request',
    ],
  },
  {
    says: 'The gateway serves its own host and origin only',
    tests: [
      'test/gateway/routes.test.ts > other hosts and origins > a foreign Host is refused, on every path and method',
    ],
  },
  {
    says: 'An answer can be verified against the chain at its own block',
    tests: [
      'test/verify/answers.test.ts > an honest answer of every read is equal',
      'test/verify/answers.test.ts > any change in an answer is found',
    ],
  },
  {
    says: 'Text of strangers stays in untrusted fields of tools',
    tests: [
      'test/tools/mcpInjection.test.ts > on chain, as the text of a task > they stay in untrusted fields of a task, and change no other field',
    ],
  },
  {
    says: 'A negotiation that both accepted ends in the digest on chain',
    tests: [
      'test/negotiation/agreement.test.ts > two processes come from a proposal to a paid task over files, and the transcript alone proves it',
    ],
  },
]
