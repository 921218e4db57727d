import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeftRight, CreditCard, Droplet, Landmark, type LucideIcon, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { chainProfile } from '../deployments.ts'
import { text } from '../text/common.ts'
import { addMoneyText as labels } from '../text/wallet.ts'
import { CopyButton } from '../ui/Address.tsx'
import { Button } from '../ui/Button.tsx'
import type { Missing } from './missing.ts'
import { listMoneyLinks, type MoneyWay } from './moneyLinks.ts'
import { paymasterUrl } from './paymaster.ts'

interface AddMoneyProps {
  wallet: string
  /** Null: whatever the visitor likes. */
  missing: Missing | null
  /** What happens once it is there. */
  note: string
}

/** The button that opens the ways to money. */
export function AddMoney(props: AddMoneyProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{labels.button}</Button>
      {isOpen && <AddMoneyDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

const icons: Readonly<Record<MoneyWay, LucideIcon>> = {
  card: CreditCard,
  exchange: Landmark,
  bridge: ArrowLeftRight,
  faucet: Droplet,
}

/** The ways to money: the operator's links, or the address alone. It looks again until the money is there. */
export function AddMoneyDialog({ wallet, missing, note, onClose }: AddMoneyProps & { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  useArrivals()
  const usdc = missing ? Math.ceil(Number(missing.usdcUnits) / 1e6) : 0
  const links = listMoneyLinks(wallet, String(usdc || 25))
  const chain = chainProfile.name
  return (
    <dialog ref={dialog} className="add-money" aria-labelledby={id} onClose={onClose}>
      <header className="dialog-head">
        <h2 id={id}>{missing ? labels.title(missing.amount) : labels.button}</h2>
        <button type="button" className="dialog-close" aria-label={text.close} onClick={() => dialog.current?.close()}>
          <X size={18} aria-hidden="true" />
        </button>
      </header>
      <div className="stack">
        <p className="soft">{note}</p>
        {links.length === 0 && <p>{labels.noLinks(chain)}</p>}
        <ul className="money-ways">
          {links.map(({ way, url }) => {
            const Icon = icons[way]
            return (
              <li key={way}>
                <a href={url.href} target="_blank" rel="noopener noreferrer">
                  <Icon size={20} aria-hidden="true" />
                  <span className="stack tight">
                    <strong>{labels.ways[way]}</strong>
                    <span className="small soft">{labels.opens(url.host)}</span>
                  </span>
                </a>
              </li>
            )
          })}
        </ul>
        <div className="own-address">
          <p className="row between">
            <strong>{labels.address}</strong> <CopyButton value={wallet} label={text.copyAddress} />
          </p>
          <p className="code">{wallet}</p>
          <p className="small soft">
            {labels.only(chain)} {paymasterUrl ? labels.feesPaid : labels.fees(chain)}
          </p>
        </div>
        <p className="row small soft" role="status">
          <span className="spinner" aria-hidden="true" /> {labels.waiting}
        </p>
      </div>
    </dialog>
  )
}

/** Reads the wallet again every few seconds. */
function useArrivals(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return
      for (const name of ['getWallet', 'listSteps']) void queries.invalidateQueries({ queryKey: [name] })
    }, 4_000)
    return () => clearInterval(timer)
  }, [queries])
}
