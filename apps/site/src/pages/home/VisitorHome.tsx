import { accessFee, formatAmount } from '@svc/protocol'
import { ArrowRight, Check, Lock } from 'lucide-react'
import type { Address } from 'viem'
import { Faces } from '../../parts/Faces.tsx'
import { homeText as labels } from '../../text/home.ts'
import { formatUsd } from '../../ui/Amount.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { useMarket } from '../../useMarket.ts'
import { usePageTitle } from '../../usePageTitle.ts'
import { usePrice } from '../../usePrice.ts'
import { Numbers } from './Numbers.tsx'
import { PaidCards } from './PaidCards.tsx'
import { Story } from './Story.tsx'
import '../../style/home.css'

/** What a stranger reads first: what this is, who pays whom, what it costs, and real work. */
export function VisitorHome() {
  usePageTitle(labels.title)
  const market = useMarket()
  const price = usePrice()
  return (
    <div className="home">
      <section className="hero">
        <div className="hero-text">
          <h1>
            {labels.titleLines.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </h1>
          <p className="hero-lead soft">{labels.lead}</p>
          <Buttons />
          <p className="small soft">
            <strong>{labels.share}</strong>{' '}
            {labels.fee(price ? formatUsd(accessFee, price) : formatAmount(accessFee, 'tok'))}
          </p>
        </div>
        <Story market={market} />
      </section>
      <Numbers market={market} />
      <PaidCards market={market} />
      <Path />
      <Faces market={market} count={6} heading={labels.people} />
      <section className="agents-band" aria-labelledby="agents-earn">
        <div className="stack">
          <h2 id="agents-earn">{labels.agents.heading}</h2>
          <p>{labels.agents.text}</p>
          <p className="row wrapping">
            <a className="button" href="/docs">
              {labels.agents.docs}
            </a>
          </p>
        </div>
        <pre className="terminal">
          <code>
            {labels.agents.commands.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </code>
        </pre>
      </section>
      <section className="closing">
        <h2>{labels.closing}</h2>
        <Buttons />
      </section>
    </div>
  )
}

const Buttons = () => (
  <div className="hero-buttons">
    <ButtonLink look="primary" size="big" href="/post">
      {labels.post}
    </ButtonLink>
    <ButtonLink size="big" href="/tasks">
      {labels.explore}
    </ButtonLink>
  </div>
)

/** Faces of nobody, for the drawing. */
const anyPoster: Address = `0x${'3c44cdddb6a900fa'.padEnd(40, '5')}`
const anyWorker: Address = `0x${'8ba1f109551bd432'.padEnd(40, '8')}`

/** Where the money is at each of three steps, and what happens when somebody does nothing. */
function Path() {
  const pictures = [
    <>
      <Avatar key="who" of={anyPoster} size={40} /> <ArrowRight size={18} />
      <span className="seal">
        <Lock size={20} />
      </span>
    </>,
    <span key="locked" className="coin">
      {labels.path.example} <small>{labels.path.locked}</small>
    </span>,
    <>
      <span className="seal paid">
        <Check size={20} />
      </span>
      <ArrowRight size={18} /> <Avatar key="who" of={anyWorker} size={40} />
    </>,
  ]
  return (
    <section className="stack" aria-labelledby="path">
      <h2 id="path">{labels.path.heading}</h2>
      <ol className="money-path">
        {labels.path.steps.map(([title, text], index) => (
          <li key={title}>
            <div className="path-picture" aria-hidden="true">
              {pictures[index]}
            </div>
            <h3>{title}</h3>
            <p className="soft">{text}</p>
          </li>
        ))}
      </ol>
      <dl className="path-ifs">
        {labels.path.ifs.map(([question, answer]) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd className="small soft">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
