import {
  accessFee,
  entryDeposit,
  exitDeposit,
  formatAmount,
  pauseThreshold,
  type Token,
  taskReserve,
} from '@svc/protocol'
import { appealFee, lapsePenalty, minJudgeLock, rulingFee } from '@svc/protocol/internal/money'

/** Formats an amount without cents if they are zero. */
export const formatWhole = (amount: bigint, token: Token): string => formatAmount(amount, token).replace('.00 ', ' ')

/** The amounts that several texts name, from the tables of the protocol. */
export const amounts = {
  fee: formatAmount(accessFee, 'tok'),
  exitDeposit: formatAmount(exitDeposit, 'tok'),
  entryDeposit: formatWhole(entryDeposit, 'usdc'),
  pauseThreshold: formatWhole(pauseThreshold, 'usdc'),
  reserve: formatWhole(taskReserve, 'usdc'),
  rulingFee: formatWhole(rulingFee, 'usdc'),
  toWinner: formatWhole(taskReserve - rulingFee, 'usdc'),
  appeal: formatWhole(appealFee, 'usdc'),
  lapse: formatWhole(lapsePenalty, 'usdc'),
  silentJudge: formatAmount(minJudgeLock, 'tok'),
} as const
