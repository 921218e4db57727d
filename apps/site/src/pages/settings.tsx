import { useState } from 'react'
import { forgetTransaction, useTransactions } from '../actions/transactions.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { clearDrafts, countDrafts } from '../parts/useDraft.ts'
import { settingsText as words } from '../text/settings.ts'
import { chooseTheme, recallTheme, themes } from '../theme.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { clearWorkDrafts } from '../work/database.ts'
import { ReadingKey } from '../work/ReadingKey.tsx'
import '../style/settings.css'

/** Theme, market, and what this browser stores. */
export function SettingsPage() {
  return (
    <>
      <PageHead title={words.title} says={words.says} hasMarket={false} />
      <div className="card settings">
        <section>
          <h2>{words.theme.label}</h2>
          <ThemeChoice />
        </section>
        <section>
          <div className="stack tight">
            <h2>{words.market.label}</h2>
            <p className="small soft">{words.market.says}</p>
          </div>
          <MarketSwitch />
        </section>
        <ReadingKey />
        <section>
          <div className="stack tight">
            <h2>{words.notifications.label}</h2>
            <p className="small soft">{words.notifications.says}</p>
          </div>
          <ButtonLink href="/settings/notifications">{words.open}</ButtonLink>
        </section>
        <Storage />
        <section>
          <div className="stack tight">
            <h2>{words.advanced}</h2>
            <p className="small soft">{words.advancedSays}</p>
          </div>
          <ButtonLink href="/do">{words.open}</ButtonLink>
        </section>
      </div>
    </>
  )
}

function ThemeChoice() {
  const [chosen, setChosen] = useState(recallTheme)
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{words.theme.label}</legend>
      {themes.map((theme) => (
        <label key={theme}>
          <input
            type="radio"
            name="theme"
            checked={theme === chosen}
            onChange={() => {
              setChosen(theme)
              chooseTheme(theme)
            }}
          />
          {words.theme[theme]}
        </label>
      ))}
    </fieldset>
  )
}

function Storage() {
  const transactions = useTransactions()
  const [drafts, setDrafts] = useState(countDrafts)
  const [isCleared, setCleared] = useState(false)
  return (
    <section className="storage">
      <div className="stack tight">
        <h2>{words.storage.label}</h2>
        <p className="small soft">{words.storage.says}</p>
      </div>
      <ul>
        <li>
          <div className="stack tight">
            <span>{words.storage.drafts(drafts)}</span>
            <span className="small soft">{words.storage.draftsSays}</span>
          </div>
          <Button
            size="small"
            disabled={drafts === 0}
            onClick={() => {
              clearDrafts()
              setDrafts(0)
              setCleared(true)
            }}
          >
            {words.storage.clearDrafts}
          </Button>
        </li>
        <li>
          <div className="stack tight">
            <span>{words.storage.transactions(transactions.length)}</span>
            <span className="small soft">{words.storage.transactionsSays}</span>
          </div>
          <Button
            size="small"
            disabled={transactions.length === 0}
            onClick={() => {
              for (const { id } of transactions) forgetTransaction(id)
              setCleared(true)
            }}
          >
            {words.storage.clearTransactions}
          </Button>
        </li>
        <li>
          <div className="stack tight">
            <span>{words.storage.work}</span>
            <span className="small soft">{words.storage.workSays}</span>
          </div>
          <Button size="small" onClick={() => void clearWorkDrafts().then(() => setCleared(true))}>
            {words.storage.clearWork}
          </Button>
        </li>
        <li>
          <div className="stack tight">
            <span>{words.storage.keys}</span>
            <span className="small soft">{words.storage.keysSays}</span>
          </div>
        </li>
        <li>
          <div className="stack tight">
            <span>{words.storage.messages}</span>
            <span className="small soft">{words.storage.messagesSays}</span>
          </div>
        </li>
        <li>
          <span>{words.storage.choices}</span>
        </li>
      </ul>
      <div role="status">{isCleared && <p className="small">{words.storage.cleared}</p>}</div>
    </section>
  )
}
