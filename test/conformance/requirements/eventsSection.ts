import { change, type Requirement, values, world } from './requirement.ts'

const messageTypesFile = 'packages/protocol/src/negotiation/messageTypes.ts'

/** Section 6: events. */
export const eventsSection: readonly Requirement[] = [
  {
    id: 'discovery-logs',
    says: 'Discovery reads TaskPosted logs and the registry; the scope is that of the scope registry',
    covers: ['633b7634179a'],
    tests: [
      'test/conformance/contracts.test.ts > tasks are announced by TaskPosted, and their scope is read with scopeOf',
      world('reads > every task was announced by a log'),
      'test/chain/reader.test.ts > the %s market read from the chain > lists open tasks, newest first, in at most four calls',
    ],
    mutations: [
      change('packages/protocol/src/abis/taskRegistry.ts', "'event TaskPosted(", "'event TaskOpened("),
      change('packages/protocol/src/abis/taskScopeRegistry.ts', "'function scopeOf(", "'function scope("),
    ],
  },
  {
    id: 'scope',
    says: 'Open tasks can be discovered; private ones are negotiated by message and not in the open list',
    covers: ['1e423e9c4e91'],
    tests: [
      world('reads > the open list has no private task'),
      'test/negotiation/agreement.test.ts > two processes come from a proposal to a paid task over files, and the transcript alone proves it',
    ],
    mutations: [
      change(
        'packages/reads/src/market.ts',
        "readTaskPage(reader, { of: 'open' }, input, deployments)",
        "readTaskPage(reader, { of: 'recent' }, input, deployments)",
      ),
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
    mutations: [
      change(messageTypesFile, "  'TaskProposal',\n", ''),
      change(messageTypesFile, "  'TaskAcceptance',\n", ''),
      change(messageTypesFile, "  'TaskCounterOffer',\n", ''),
      change(messageTypesFile, "  'DeliveryNotice',\n", ''),
      change(messageTypesFile, "  'AcceptDelivery',\n", ''),
      change(messageTypesFile, "  'DisputeEvidence',\n", ''),
      change(messageTypesFile, "  'ArbitratorProposal',\n", ''),
      change(messageTypesFile, "  'MilestoneDefinition',\n", ''),
      change(messageTypesFile, "  'RevisionRequest',\n", ''),
      change(messageTypesFile, "  'PaymentRequest',\n", ''),
      change(messageTypesFile, "  'CapabilityProof',\n", ''),
      change(messageTypesFile, "  'MutualCancel',\n", ''),
      change(messageTypesFile, "  'ReplacementContext',\n", ''),
      change(messageTypesFile, "  'SupervisorVeto',\n", ''),
      change(messageTypesFile, "  'IdentityLink',\n", ''),
    ],
  },
]
