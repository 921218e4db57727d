import type { OutputJson } from '@svc/operations'
import { fees, formatAmount } from '@svc/protocol'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { moneyText } from '../../text/money.ts'
import { Amount, formatShort } from '../../ui/Amount.tsx'
import { Note } from '../../ui/Note.tsx'

const labels = moneyText.deposit

type WalletJson = OutputJson<'getWallet'>

/** The user's deposit compared with the thresholds of USD 8, 25 and 45. */
export function Deposit({ wallet: { deposit, address } }: { wallet: WalletJson }) {
  const line = findLine(deposit)
  return (
    <section id="deposit" className="card pad panel">
      <header>
        <h2>{labels.title}</h2>
        <p className="big-number">
          <Amount of={deposit.usdcUnits} token="usdc" />
        </p>
      </header>
      <p className="small soft">{labels.description}</p>
      <DepositBar deposit={BigInt(deposit.usdcUnits)} reserved={BigInt(deposit.reservedUnits)} />
      <Note tone={line === 'ready' || line === 'below-recommended' ? 'good' : 'turn'}>{labels.lines[line]}</Note>
      <dl className="facts">
        <dt>{labels.free}</dt>
        <dd>
          <Amount of={deposit.freeUnits} token="usdc" />
        </dd>
        <dt>{labels.reserved}</dt>
        <dd>
          <Amount of={deposit.reservedUnits} token="usdc" />
        </dd>
        <dt>{labels.withdrawable}</dt>
        <dd>
          <strong>
            <Amount of={deposit.withdrawableUnits} token="usdc" />
          </strong>
        </dd>
      </dl>
      {BigInt(deposit.reservedUnits) > 0n && <p className="tiny faint">{labels.locked}</p>}
      <p className="row wrapping">
        <ActionButton name="top-up" label={labels.topUp} look="primary" />
        <ActionButton
          name="withdraw-deposit"
          label={labels.withdraw}
          disabled={BigInt(deposit.withdrawableUnits) === 0n}
          start={{
            to: address,
            amountUsdc: formatAmount(BigInt(deposit.withdrawableUnits), 'usdc').replace(/ .*/, ''),
          }}
        />
        <ActionButton name="emergency-top-up" label={labels.forOther} look="quiet" />
      </p>
    </section>
  )
}

/** What tasks reserve counts for the pause, but not for another entry. */
function findLine({ line, freeUnits }: WalletJson['deposit']): keyof typeof labels.lines {
  return line !== 'paused' && BigInt(freeUnits) < fees.entryDepositUsdc ? 'below-entry' : line
}

/** A bar of the deposit with its reserved part, and the three thresholds as marks. */
function DepositBar({ deposit, reserved }: { deposit: bigint; reserved: bigint }) {
  const marks = [
    [labels.marks.pause, fees.pauseThresholdUsdc],
    [labels.marks.entry, fees.entryDepositUsdc],
    [labels.marks.recommended, fees.recommendedDepositUsdc],
  ] as const
  // A deposit far above the last mark fills the bar, so that the marks stay apart.
  const maxShown = Number(fees.recommendedDepositUsdc) * 1.3
  const at = (amount: bigint) => `${Math.min(100, (Number(amount) / maxShown) * 100)}%`
  const marksText = marks.map(([name, amount]) => `${name} ${formatAmount(amount, 'usdc')}`).join(', ')
  return (
    <div className="deposit-bar" role="img" aria-label={labels.compare(formatAmount(deposit, 'usdc'), marksText)}>
      <div className="deposit-track">
        <span className="deposit-fill" style={{ width: at(deposit) }} />
        <span className="deposit-reserved" style={{ width: at(reserved < deposit ? reserved : deposit) }} />
        {marks.map(([name, amount]) => (
          <span key={name} className="deposit-mark" style={{ left: at(amount) }} />
        ))}
      </div>
      <div className="deposit-labels" aria-hidden="true">
        {marks.map(([name, amount]) => (
          <span key={name} style={{ left: at(amount) }}>
            {formatShort(amount, 'usdc').replace('.00 USDC', '')}
            <small>{name}</small>
          </span>
        ))}
      </div>
    </div>
  )
}
