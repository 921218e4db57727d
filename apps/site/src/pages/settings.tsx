import { useState } from 'react'
import { forgetTransaction, useTransactions } from '../actions/transactions.ts'
import { YourData } from '../notify/YourData.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { clearDrafts, countDrafts } from '../parts/useDraft.ts'
import { settingsText as labels } from '../text/settings.ts'
import { chooseTheme, recallTheme, themes } from '../theme.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { MarketSwitch } from '../ui/MarketSwitch.tsx'
import { clearWorkDrafts } from '../work/database.ts'
import { ReadingKey } from '../work/ReadingKey.tsx'
import { Grants } from './settings/Grants.tsx'
import '../style/settings.css'

/** Theme, market, and what this browser stores. */
export function SettingsPage() {
  return (
    <>
      <PageHead title={labels.title} description={labels.description} hasMarket={false} />
      <div className="card settings">
        <section>
          <h2>{labels.theme.label}</h2>
          <ThemeChoice />
        </section>
        <section>
          <div className="stack tight">
            <h2>{labels.market.label}</h2>
            <p className="small soft">{labels.market.description}</p>
          </div>
          <MarketSwitch />
        </section>
        <ReadingKey />
        <Grants />
        <section>
          <div className="stack tight">
            <h2>{labels.notifications.label}</h2>
            <p className="small soft">{labels.notifications.description}</p>
          </div>
          <ButtonLink href="/settings/notifications">{labels.open}</ButtonLink>
        </section>
        <YourData />
        <Storage />
        <section>
          <div className="stack tight">
            <h2>{labels.advanced}</h2>
            <p className="small soft">{labels.advancedSays}</p>
          </div>
          <ButtonLink href="/do">{labels.open}</ButtonLink>
        </section>
      </div>
    </>
  )
}

function ThemeChoice() {
  const [chosen, setChosen] = useState(recallTheme)
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{labels.theme.label}</legend>
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
          {labels.theme[theme]}
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
        <h2>{labels.storage.label}</h2>
        <p className="small soft">{labels.storage.description}</p>
      </div>
      <ul>
        <li>
          <div className="stack tight">
            <span>{labels.storage.drafts(drafts)}</span>
            <span className="small soft">{labels.storage.draftsSays}</span>
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
            {labels.storage.clearDrafts}
          </Button>
        </li>
        <li>
          <div className="stack tight">
            <span>{labels.storage.transactions(transactions.length)}</span>
            <span className="small soft">{labels.storage.transactionsSays}</span>
          </div>
          <Button
            size="small"
            disabled={transactions.length === 0}
            onClick={() => {
              for (const { id } of transactions) forgetTransaction(id)
              setCleared(true)
            }}
          >
            {labels.storage.clearTransactions}
          </Button>
        </li>
        <li>
          <div className="stack tight">
            <span>{labels.storage.work}</span>
            <span className="small soft">{labels.storage.workSays}</span>
          </div>
          <Button size="small" onClick={() => void clearWorkDrafts().then(() => setCleared(true))}>
            {labels.storage.clearWork}
          </Button>
        </li>
        <li>
          <div className="stack tight">
            <span>{labels.storage.keys}</span>
            <span className="small soft">{labels.storage.keysSays}</span>
          </div>
        </li>
        <li>
          <div className="stack tight">
            <span>{labels.storage.messages}</span>
            <span className="small soft">{labels.storage.messagesSays}</span>
          </div>
        </li>
        <li>
          <span>{labels.storage.choices}</span>
        </li>
      </ul>
      <div role="status">{isCleared && <p className="small">{labels.storage.cleared}</p>}</div>
    </section>
  )
}
