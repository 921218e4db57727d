// The tables of the leaderboard and the treasury page.
import type { Market } from '@svc/protocol'
import type { Address } from 'viem'
import { formatMoney, formatShortMoney, formatUtcTime, rankAgents } from './expected.ts'
import type { EventFact, MarketFacts } from './facts.ts'
import { describeHoldings } from './holdings.ts'

/** A number of the board, with the link to its events. Zero has none, except that a score can be zero because of some. */
const figure = (label: string, market: Market, wallet: Address, of: string, value: string | number) => {
  const isLinked = of === 'score' || (value !== 0 && value !== '0 TOK')
  return {
    [label]: String(value),
    ...(isLinked && {
      [`${label} links to`]: `/leaderboard.html?market=${market}&wallet=${wallet}&of=${of}#record`,
    }),
  }
}

export function agentTable(of: MarketFacts) {
  return {
    caption: 'Agents, best first',
    rows: rankAgents(of).map((agent, index) => {
      const cell = (label: string, name: string, value: string | number) =>
        figure(label, of.market, agent.address, name, value)
      return {
        Rank: String(index + 1),
        Wallet: agent.address,
        ...cell('Score', 'score', agent.score),
        ...cell('Completed', 'completed', agent.completedAsPoster + agent.completedAsWorker),
        ...cell('Distinct counterparties', 'counterparties', agent.distinctCounterparties),
        ...cell('Earned', 'earned', formatMoney(agent.earned, 'TOK')),
        ...cell('Disputes won', 'won', agent.disputesWon),
        ...cell('Disputes lost', 'lost', agent.disputesLost),
        ...cell('Faults', 'faults', agent.leaves + agent.dismissals + agent.lapses),
      }
    }),
  }
}

export function verifierTable(of: MarketFacts) {
  return {
    caption: 'Verifiers, largest bond first',
    rows: of.arbitrators.map((each, index) => {
      const cell = (label: string, name: string, value: string | number) =>
        figure(label, of.market, each.address, name, value)
      return {
        Rank: String(index + 1),
        Wallet: each.address,
        ...cell('Bond', 'bond', formatMoney(each.bond, 'TOK')),
        ...cell('Open cases', 'cases', each.openCases),
        ...cell('Rulings', 'resolved', each.resolved),
        ...cell('Timed out', 'timedOut', each.timedOut),
        ...cell('Slashed', 'timedOut', formatMoney(each.slashed, 'TOK')),
        Leaving: each.unbondAt === 0 ? 'no' : formatUtcTime(each.unbondAt),
      }
    }),
  }
}

export function eventTable(events: readonly EventFact[], market: Market) {
  return {
    caption: 'Events, newest first',
    rows: events.toReversed().map(({ event, args, blockNumber, timestamp, transactionHash }) => ({
      Event: event,
      Task: `v2:${market}:${args.taskId}`,
      'Task links to': `/v1/tasks/v2:${market}:${args.taskId}`,
      Amount: typeof args.amount === 'bigint' ? formatMoney(args.amount, 'TOK') : '–',
      Block: blockNumber.toLocaleString('en'),
      Time: formatUtcTime(timestamp),
      Transaction: transactionHash,
    })),
  }
}

const formatShortTok = (amount: bigint) => formatShortMoney(amount, 'TOK')

const lineWords: Readonly<Record<string, string>> = {
  paused: 'Entries paused',
  near: 'Entries about to pause',
  'below-entry': 'Below entry',
  'below-recommended': 'Below recommended',
  ready: 'Enough',
}

export function describeTreasury(of: MarketFacts) {
  const { agents, tasks } = describeHoldings(of)
  const usdc = (amount: bigint) => formatMoney(amount, 'USDC')
  const rows = agents.map((agent) => {
    const { line, freeUsdc } = agent
    return { ...agent, line: line !== 'paused' && freeUsdc < 8_000_000n ? 'near' : line }
  })
  const endangered = ['paused', 'near'].flatMap((line) => rows.filter((row) => row.line === line))
  const width = (amount: bigint) =>
    `${Number((10_000n * (amount < 60_000_000n ? amount : 60_000_000n)) / 60_000_000n) / 100}%`
  return {
    Treasury: {
      figures: {
        Deposits: usdc(of.totals.deposits),
        'Set aside for live tasks': usdc(agents.reduce((sum, { reservedUsdc }) => sum + reservedUsdc, 0n)),
        'Locked in tasks': `${formatShortTok(of.totals.held)} ${tasks.length} tasks`,
        'Waiting to be withdrawn': formatShortTok(of.totals.withdrawable),
        'Union rewards to come': formatShortTok(of.totals.rewardReserve),
        'In the Union': formatShortTok(of.totals.staked),
      },
    },
    ...(endangered.length > 0 && {
      'Entries paused, or about to pause': {
        items: endangered.map(({ line, address, depositUsdc, reservedUsdc }) => {
          const lacks = `lacks ${usdc(8_000_000n - depositUsdc)} to lock the pay of a posted task, ${usdc(25_000_000n - depositUsdc)} to post or claim`
          const has = `has ${usdc(depositUsdc)}, of which ${usdc(reservedUsdc)} is set aside`
          return `${lineWords[line]} ${address} ${line === 'paused' ? lacks : has}`
        }),
      },
    }),
    'Deposits and thresholds': {
      bars: rows.slice(0, 20).map(({ address, depositUsdc, reservedUsdc, line }) => ({
        wallet: address,
        solvency: `bar ${line}`,
        widths: [width(depositUsdc), width(reservedUsdc)],
        amount: usdc(depositUsdc).replace(' USDC', ''),
      })),
      tables: [
        {
          caption: 'Deposits, lowest first',
          rows: rows.map(({ address, depositUsdc, reservedUsdc, freeUsdc, line }) => ({
            Wallet: address,
            Deposit: usdc(depositUsdc),
            'Set aside': usdc(reservedUsdc),
            Free: usdc(freeUsdc),
            Stands: lineWords[line],
          })),
        },
      ],
    },
    'Locked in tasks': {
      tables: [
        {
          caption: 'Tasks by what is locked in them, most first',
          rows: tasks.slice(0, 20).map(({ id, held }) => ({
            Task: id,
            'Task links to': `/v1/tasks/${id}`,
            Locked: formatShortTok(held),
          })),
        },
      ],
    },
  }
}
