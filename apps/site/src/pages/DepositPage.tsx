import { fees, formatAmount, pauseRule } from '@svc/protocol'
import { useApi } from '../api.ts'
import { ActionList } from '../parts/ActionList.tsx'
import { useMarket } from '../parts/MarketChoice.tsx'
import { QueryView } from '../parts/QueryView.tsx'
import { Amount } from '../parts/values.tsx'
import { RequireWallet } from './RequireWallet.tsx'

const words = {
  paused: pauseRule,
  'below-entry': 'Not enough to post or claim yet.',
  'below-recommended': 'Enough to post and claim, with little to spare.',
  ready: 'Enough to post and claim.',
} as const

/** The user's deposit compared with the thresholds of USD 8, 25 and 45. */
export function DepositPage() {
  const market = useMarket()
  return <RequireWallet title="Deposit">{(address) => <Deposit key={market} address={address} />}</RequireWallet>
}

function Deposit({ address }: { address: `0x${string}` }) {
  const found = useApi('getWallet', { address, market: useMarket() })
  return (
    <>
      <QueryView of={found}>
        {({ deposit, usdcUnits, liveClaims }) => (
          <section>
            <p>
              <strong>
                <Amount of={deposit.usdcUnits} token="usdc" />
              </strong>{' '}
              in the vault, <Amount of={deposit.reservedUnits} token="usdc" /> of it reserved by tasks. In your wallet:{' '}
              <Amount of={usdcUnits} token="usdc" />. Live claims: {liveClaims}.
            </p>
            <Lines deposit={BigInt(deposit.usdcUnits)} />
            <p className="hint">
              The marks: below <Amount of={fees.pauseThresholdUsdc} token="usdc" /> entries pause, from{' '}
              <Amount of={fees.entryDepositUsdc} token="usdc" /> on you can post and claim,{' '}
              <Amount of={fees.recommendedDepositUsdc} token="usdc" /> are recommended.
            </p>
            <p className={deposit.line === 'paused' ? 'problem' : 'hint'}>{words[deposit.line]}</p>
          </section>
        )}
      </QueryView>
      <ActionList
        names={['top-up', 'withdraw-deposit', 'emergency-top-up', 'approve-usdc-vault']}
        start={{ to: address, agent: address }}
      />
    </>
  )
}

/** A bar of the deposit with the three thresholds. */
function Lines({ deposit }: { deposit: bigint }) {
  const lines = [
    ['pause', fees.pauseThresholdUsdc],
    ['entry', fees.entryDepositUsdc],
    ['recommended', fees.recommendedDepositUsdc],
  ] as const
  const most = Number(deposit > fees.recommendedDepositUsdc ? deposit : fees.recommendedDepositUsdc) * 1.1
  const at = (amount: bigint) => (Number(amount) / most) * 100
  return (
    <svg
      className="lines"
      viewBox="0 0 100 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatAmount(deposit, 'usdc')} against ${lines.map(([name, line]) => `${name} ${formatAmount(line, 'usdc')}`).join(', ')}`}
    >
      <rect className="bar-back" x="0" y="4" width="100" height="8" />
      <rect className="bar" x="0" y="4" width={at(deposit)} height="8" />
      {lines.map(([name, line]) => (
        <rect key={name} className="mark" x={at(line)} y="0" width="0.5" height="16" />
      ))}
    </svg>
  )
}
