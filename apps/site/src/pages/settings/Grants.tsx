import { computeWorstCase, type Grant, parseGrant } from '@svc/protocol/internal/grants'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { encodeFunctionData, erc20Abi, formatEther, isAddressEqual } from 'viem'
import { useConnection } from 'wagmi'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { chainId, findAddress } from '../../deployments.ts'
import { useLastOwnBlock } from '../../lastOwnBlock.ts'
import { grantsText as labels } from '../../text/grants.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Note } from '../../ui/Note.tsx'
import { Time, useNow } from '../../ui/Time.tsx'
import { findProvider } from '../../wallet/provider.ts'
import { addGrant, forgetGrant, isSameGrant, listGrants } from './savedGrants.ts'

/** What agents may spend for a wallet, from the files that were opened here, and what is left of it on chain. */
export function Grants() {
  const [grants, setGrants] = useState(listGrants)
  const [problem, setProblem] = useState<string | null>(null)
  const open = async (file: File | undefined) => {
    const grant = file && readGrant(await file.text())
    setProblem(grant ? findProblem(grant) : labels.notAGrant)
    if (!grant || findProblem(grant)) return
    addGrant(grant)
    setGrants(listGrants())
  }
  return (
    <section id="agents">
      <div className="stack tight">
        <h2>{labels.title}</h2>
        <p className="small soft">{labels.description}</p>
      </div>
      <Field label={labels.open}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => void open(target.files?.[0])}
          />
        )}
      </Field>
      <Note tone="loss">{problem}</Note>
      {grants.map((grant) => (
        <GrantCard
          key={grant.delegation.signature}
          grant={grant}
          onForget={() => {
            forgetGrant(grant)
            setGrants((all) => all.filter((each) => !isSameGrant(each, grant)))
          }}
        />
      ))}
    </section>
  )
}

function GrantCard({ grant, onForget }: { grant: Grant; onForget: () => void }) {
  const { account, market, limits } = grant
  const { left, wallet } = useAllowance(grant)
  const { tokWei, usdcUnits, gasWei } = computeWorstCase(grant)
  const isOver = useNow() >= limits.until || left === 0n
  return (
    <article className="key-form stack tight" aria-label={labels.title}>
      {isOver ? (
        <p>{labels.ended}</p>
      ) : (
        <dl className="facts small">
          <dt>{labels.left}</dt>
          <dd>{left === null ? labels.reading : <Amount of={left} usd />}</dd>
          <dt>{labels.until}</dt>
          <dd>
            <Time at={limits.until} />
          </dd>
          <dt>{labels.worst}</dt>
          <dd>
            <Amount of={tokWei} usd /> + <Amount of={usdcUnits} token="usdc" /> + {labels.gas(formatEther(gasWei))}
          </dd>
        </dl>
      )}
      {!isOver && (
        <p className="small soft">
          {wallet && isAddressEqual(wallet, account) ? labels.revokeSays : labels.otherWallet}
        </p>
      )}
      <p className="row wrapping">
        {/* It stays when it has ended, so that its receipt stays open. */}
        {wallet && isAddressEqual(wallet, account) && (
          <ActionButton
            name="approve-tok-router"
            label={labels.revoke}
            known={{ market, amountTokWei: '0' }}
            look="danger"
            size="small"
            disabled={isOver}
          />
        )}
        <Button look="quiet" size="small" onClick={onForget}>
          {labels.forget}
        </Button>
      </p>
    </article>
  )
}

/** What the account still lets the market take, as the provider of the connected wallet reads it; null until it has. */
function useAllowance({ account, market }: Grant) {
  const { address, connector, status } = useConnection()
  const [token, spender] = [findAddress(market, 'tokToken'), findAddress(market, 'paymentGateway')]
  const { data } = useQuery({
    queryKey: ['grant', account, market, useLastOwnBlock()],
    enabled: status === 'connected',
    queryFn: async () => {
      const provider = await findProvider(connector)
      if (!provider || !token || !spender) return null
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [account, spender] })
      return BigInt(String(await provider.request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })))
    },
  })
  return { left: data ?? null, wallet: address }
}

function readGrant(text: string): Grant | null {
  try {
    return parseGrant(JSON.parse(text))
  } catch {
    return null
  }
}

/** A file could name other contracts, whose numbers would mean nothing. */
const findProblem = ({ chainId: chain, market, contracts }: Grant): string | null =>
  chain === chainId && contracts.paymentGateway.toLowerCase() === findAddress(market, 'paymentGateway')?.toLowerCase()
    ? null
    : labels.otherMarket
