export { phaseClocks, stateClocks } from '../../notifications/clockRules.ts'
export { eventRules } from '../../notifications/eventRules.ts'
export type { Clock, EventRule, ReminderName, RuleContext } from '../../notifications/rule.ts'
export { lowDeposit, walletRules } from '../../notifications/walletRules.ts'
