import { BookOpen, Code, Gavel, LogOut, Settings, Trophy, Users, Wallet as WalletIcon } from 'lucide-react'
import { useRef } from 'react'
import { useDisconnect } from 'wagmi'
import { useApi } from '../api.ts'
import { Link } from '../router.tsx'
import { text } from '../text/common.ts'
import { walletText } from '../text/wallet.ts'
import { shortenAddress } from '../ui/Address.tsx'
import { Worth } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Face } from '../ui/Face.tsx'
import { useMarket } from '../useMarket.ts'
import { Connect } from './Connect.tsx'
import { useWallet } from './useWallet.ts'

const links = [
  ['/wallet', text.navigation.wallet, WalletIcon],
  ['/judge', text.navigation.judge, Gavel],
  ['/agents', text.navigation.people, Users],
  ['/leaderboard', text.navigation.leaderboard, Trophy],
  ['/settings', text.navigation.settings, Settings],
  ['/help', text.navigation.help, BookOpen],
] as const

/** The user's wallet in the header: balance, picture and menu. Without a wallet, the button that connects one. */
export function AccountMenu() {
  const { address, isWrongChain, switchToChain } = useWallet()
  const { mutate: disconnect } = useDisconnect()
  const { body } = useApi('getWallet', { address: address ?? '', market: useMarket() }, address !== undefined)
  const menu = useRef<HTMLDivElement>(null)
  if (!address) return <Connect />
  const close = () => menu.current?.hidePopover()
  return (
    <>
      {isWrongChain && (
        <Button size="small" onClick={() => void switchToChain().catch(() => {})}>
          {walletText.wrongChain}
        </Button>
      )}
      {body && (
        <span className="pill only-wide">
          <Worth of={body.tokWei} />
        </span>
      )}
      <button type="button" className="avatar-button" popoverTarget="account-menu" aria-label={text.navigation.menu}>
        <Face of={address} size={32} />
      </button>
      <div id="account-menu" ref={menu} className="menu" popover="auto">
        <Link href={`/u/${address}`} onClick={close} title={address}>
          <Face of={address} size={20} />
          {shortenAddress(address)}
        </Link>
        <hr />
        {links.map(([href, label, Icon]) => (
          <Link key={href} href={href} onClick={close}>
            <Icon size={18} aria-hidden="true" />
            {label}
          </Link>
        ))}
        <a href="/docs">
          <Code size={18} aria-hidden="true" />
          {text.navigation.docs}
        </a>
        <hr />
        <button
          type="button"
          onClick={() => {
            close()
            disconnect({})
          }}
        >
          <LogOut size={18} aria-hidden="true" />
          {walletText.disconnect}
        </button>
      </div>
    </>
  )
}
