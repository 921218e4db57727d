import type { Check } from '../call.ts'
import type { BehaviourWorld } from '../world.ts'
import { listActionChecks } from './actions.ts'
import { listGatewayChecks } from './gateway.ts'
import { listMarketChecks } from './market.ts'
import { type CheckName, checkNames } from './names.ts'
import { listPageChecks } from './pages.ts'
import { listPostingChecks } from './posting.ts'
import { listRequestChecks } from './requests.ts'
import { listToolActionChecks } from './toolActions.ts'
import { listToolMessageChecks } from './toolMessages.ts'
import { listToolNegotiationChecks } from './toolNegotiation.ts'
import { listToolReadChecks } from './toolReads.ts'
import { listToolTermsChecks } from './toolTerms.ts'
import { listToolWorkChecks } from './toolWork.ts'
import { listWalletChecks } from './wallet.ts'

/** Every check by name: the route, page or tool that it is about. */
export const listChecks = (world: BehaviourWorld): Readonly<Record<CheckName, Check>> => ({
  ...listMarketChecks(world),
  ...listWalletChecks(world),
  ...listActionChecks(world),
  ...listPostingChecks(world),
  ...listGatewayChecks(world),
  ...listPageChecks(world),
  ...listRequestChecks(world),
  ...listToolReadChecks(world),
  ...listToolActionChecks(world),
  ...listToolTermsChecks(world),
  ...listToolWorkChecks(world),
  ...listToolMessageChecks(world),
  ...listToolNegotiationChecks(world),
})

export { type CheckName, checkNames }
