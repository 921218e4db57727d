import { chainVariables, type Environment, integer, parseEnv, port, walletAddress } from '@svc/serve'
import { z } from 'zod'

const schema = z.object({
  ...chainVariables,
  /** The guardian of the plan. Any other is an alarm. */
  SVC_WATCH_GUARDIAN: walletAddress,
  /** Seconds between looks at the chain. */
  SVC_WATCH_SECONDS: integer(1, 3_600).default(15),
  /** Fewer free judges than this in a market is an alarm. */
  SVC_WATCH_JUDGES: integer(0, 1_000).default(3),
  /** Whole TOK: a case before the final court that moves less is a notice, and no page. */
  SVC_WATCH_COURT_TOK: integer(0, 1_000_000_000).default(10_000),
  /** Port for health and metrics; 0 picks a free one. */
  SVC_WATCH_PORT: port.default(9_467),
})

/** Names of the variables that the watcher reads. */
export const variables = Object.keys(schema.shape)

/** Parses the environment. Throws one error that lists all invalid variables. */
export const readWatchEnv = (environment: Environment) => parseEnv(schema, environment)
