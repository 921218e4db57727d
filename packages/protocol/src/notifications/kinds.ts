import { phaseClocks, stateClocks } from './clockRules.ts'
import { eventRules } from './eventRules.ts'
import type { EventRule } from './rule.ts'
import { walletRules } from './walletRules.ts'

/** Every kind of notification, from the rules: what a wallet can choose to hear of. `corrected` always follows its original. */
export const notificationKinds: readonly string[] = /*#__PURE__*/ listKinds()

function listKinds(): string[] {
  const ofEvents = Object.values<EventRule<never>>(eventRules).flatMap((rule) =>
    'messages' in rule ? rule.messages.map(({ kind }) => kind) : [],
  )
  const ofClocks = [...Object.values(stateClocks), ...Object.values(phaseClocks)].flatMap((rule) =>
    'clocks' in rule
      ? rule.clocks.flatMap(({ name, reminders }) => Object.keys(reminders).map((each) => `${name}-${each}`))
      : [],
  )
  const ofWallets = Object.values(walletRules).map(({ kind }) => kind)
  return [...new Set([...ofEvents, ...ofClocks, ...ofWallets])]
}
