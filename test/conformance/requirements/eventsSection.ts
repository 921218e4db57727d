import { type Requirement, values } from './requirement.ts'

/** Section 6: events. */
export const eventsSection: readonly Requirement[] = [
  {
    id: 'discovery-logs',
    says: 'Discovery reads TaskPosted logs and the registry; the scope is that of the scope registry',
    covers: ['633b7634179a'],
    checks: ['GET /api/market/events'],
    tests: [
      'test/conformance/contracts.test.ts > tasks are announced by TaskPosted, and their scope is read with scopeOf',
      'test/chain/reader.test.ts > the %s market read from the chain > lists open tasks, newest first, in at most four calls',
    ],
  },
  {
    id: 'scope',
    says: 'Open tasks can be discovered; private ones are negotiated by message and not in the open list',
    covers: ['1e423e9c4e91'],
    checks: ['GET /api/market/open'],
    tests: [
      'test/negotiation/agreement.test.ts > two processes come from a proposal to a paid task over files, and the transcript alone proves it',
    ],
  },
  {
    id: 'message-kinds',
    says: 'There are an envelope and 15 kinds of messages, each with a schema',
    covers: ['4fd6134899a6'],
    tests: [
      values('there is a message for each kind of the specification'),
      'packages/protocol/src/negotiation/jsonSchemas.test.ts > messages of every kind match the published schemas, but not with a missing or extra field',
    ],
  },
]
