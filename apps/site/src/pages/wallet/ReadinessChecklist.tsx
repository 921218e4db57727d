import { exitDeposit, formatAmount } from '@svc/protocol'
import { listRequirements, type Requirement } from '@svc/protocol/internal/people'
import { CircleCheck, CircleDashed } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConnection } from 'wagmi'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { useApi } from '../../api.ts'
import { chainId } from '../../deployments.ts'
import { readinessText as text } from '../../text/readiness.ts'
import { CopyButton, shortenAddress } from '../../ui/Address.tsx'
import { formatShort } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { formatEth } from '../../ui/formatEth.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useMarket } from '../../useMarket.ts'
import { useGas } from '../../wallet/useGas.ts'
import { useWallet } from '../../wallet/useWallet.ts'
import '../../style/checklist.css'

/** Allowances come with the action that needs them. */
const hidden: readonly Requirement['item'][] = ['tok-allowance', 'recommended-deposit']

/** What the connected wallet needs to post or claim in this market; null while it is being read. */
export function useReadiness(budget = 0n): { rows: Requirement[]; usdc: bigint; isReady: boolean } | null {
  const { address } = useWallet()
  const { chainId: at } = useConnection()
  const gas = useGas()
  const { body } = useApi('getWallet', { address: address ?? '', market: useMarket() }, address !== undefined)
  if (!address || !body) return null
  const facts = {
    chainId: at ?? 0,
    eth: gas?.eth ?? null,
    gasPrice: gas?.gasPrice ?? null,
    tok: BigInt(body.tokWei),
    tokAllowance: null,
    credits: BigInt(body.creditsWei),
    deposit: BigInt(body.deposit.usdcUnits),
    reserved: BigInt(body.deposit.reservedUnits),
    budget,
  }
  const rows = listRequirements(facts, chainId).filter(({ item }) => !hidden.includes(item))
  return { rows, usdc: BigInt(body.usdcUnits), isReady: rows.every(({ ok, required }) => ok || !required) }
}

/**
 * What a wallet needs to post or claim, line by line: done, or with what fixes it. `budget` is TOK that a post pays into escrow
 * at once; `onlyMissing` leaves out what is done.
 */
export function ReadinessChecklist({ budget = 0n, onlyMissing = false }: { budget?: bigint; onlyMissing?: boolean }) {
  const { address } = useWallet()
  const found = useReadiness(budget)
  if (!address) return null
  if (!found) return <Skeleton lines={4} />
  const shown = onlyMissing ? found.rows.filter(({ ok }) => !ok) : found.rows
  return (
    <ul className="checklist">
      {shown.map((row) => (
        <li key={row.item} className={row.ok ? 'done' : 'open'}>
          {row.ok ? (
            <CircleCheck size={20} role="img" aria-label={text.ok} />
          ) : (
            <CircleDashed size={20} role="img" aria-label={text.open} />
          )}
          <div className="stack tight">
            <strong>{row.item === 'tok' && budget > 0n ? text.withBudget : text.items[row.item]}</strong>
            <Says row={row} />
            {!row.ok && <Fix row={row} usdc={found.usdc} address={address} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

const format = ({ token }: Requirement, amount: bigint) =>
  token === 'eth' || token === null ? formatEth(amount) : formatShort(amount, token)

function Says({ row }: { row: Requirement }): ReactNode {
  if (row.token === null) return null
  return (
    <span className="small soft">
      {text.have(format(row, row.have), format(row, row.need))}.
      {row.item === 'tok' && ` ${text.exitDeposit(formatShort(exitDeposit, 'tok'))}`}
    </span>
  )
}

function Fix({ row, usdc, address }: { row: Requirement; usdc: bigint; address: string }): ReactNode {
  const { switchToChain } = useWallet()
  if (row.item === 'chain') {
    return (
      <p>
        <Button size="small" onClick={() => void switchToChain().catch(() => {})}>
          {text.switchChain}
        </Button>
      </p>
    )
  }
  const topUp = row.token === 'usdc' && (
    <ActionButton
      name="top-up"
      size="small"
      label={text.topUp(format(row, row.missing))}
      start={{ amountUsdc: formatAmount(row.missing, 'usdc').replace(/ .*/, '') }}
    />
  )
  const short = row.token === 'usdc' ? row.missing - usdc : row.missing
  if (topUp && short <= 0n) return <p>{topUp}</p>
  return (
    <>
      <p className="row wrapping small send-to">
        <span>
          {text.send(format(row, short))} <span className="code">{shortenAddress(address)}</span>
        </span>
        <CopyButton value={address} label={text.copyOwn} />
      </p>
      {topUp && <p>{topUp}</p>}
    </>
  )
}
