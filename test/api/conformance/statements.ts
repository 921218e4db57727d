import { actions } from './actions.ts'
import { chat } from './chat.ts'
import { endpoints } from './endpoints.ts'
import { everyRoute } from './everyRoute.ts'
import { gateway } from './gateway.ts'
import { posting } from './posting.ts'
import { prepare } from './prepare.ts'
import { purpose } from './purpose.ts'
import { resources } from './resources.ts'
import { rules } from './rules.ts'
import type { Statement } from './statement.ts'
import { states } from './states.ts'
import { tools } from './tools.ts'

/** Every statement of the specification that the service must fulfil, in order. */
export const statements: readonly Statement[] = [
  purpose,
  resources,
  states,
  endpoints,
  everyRoute,
  actions,
  chat,
  gateway,
  prepare,
  tools,
  rules,
  posting,
]
  .flat()
  .toSorted((a, b) => a.section - b.section)
