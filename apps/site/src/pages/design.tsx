import { type ReactNode, useState } from 'react'
import { PageHead } from '../parts/PageHead.tsx'
import { Address, CopyButton } from '../ui/Address.tsx'
import { Amount } from '../ui/Amount.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'
import { Markdown } from '../ui/Markdown.tsx'
import { MoneyBar } from '../ui/MoneyBar.tsx'
import { Note } from '../ui/Note.tsx'
import { Skeleton, SkeletonList } from '../ui/Skeleton.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Time, TimeLeft } from '../ui/Time.tsx'
import '../style/design.css'

const wallets = [`0x${'70997970'.repeat(5)}`, `0x${'15d34aaf'.repeat(5)}`]
const tok = 10n ** 18n
const steps = ['Open', 'Claimed', 'In progress', 'In review', 'Paid']
const colours = ['paper', 'surface', 'sunken', 'ink', 'soft', 'faint', 'line', 'brand', 'brand-wash', 'turn', 'loss']
const now = Math.floor(Date.now() / 1000)

/** Every part in all states. Only in development, so its text is not in the catalogue. */
export function DesignPage() {
  const [tab, setTab] = useState('a')
  return (
    <>
      <PageHead title="Design" description="Every part in all states." />
      <div className="design">
        <Part title="Colours">
          <div className="row wrapping">
            {colours.map((name) => (
              <span key={name} className="tiny stack tight">
                <span className="swatch" style={{ background: `var(--${name})` }} />
                {name}
              </span>
            ))}
          </div>
        </Part>
        <Part title="Buttons">
          {(['usual', 'small', 'big'] as const).map((size) => (
            <p key={size} className="row wrapping">
              {(['primary', 'plain', 'quiet', 'danger'] as const).map((look) => (
                <Button key={look} look={look} size={size}>
                  {look}
                </Button>
              ))}
              <Button size={size} disabled>
                disabled
              </Button>
              <Button size={size} busy>
                busy
              </Button>
            </p>
          ))}
          <ButtonLink href="/design" look="primary" wide>
            Approve and pay 120,000 TOK
          </ButtonLink>
        </Part>
        <Part title="Notes">
          {(['plain', 'good', 'turn', 'loss'] as const).map((tone) => (
            <Note key={tone} tone={tone}>
              A note that is {tone}.
            </Note>
          ))}
        </Part>
        <Part title="Pills and tags">
          <p className="row wrapping">
            <span className="pill">plain</span>
            <span className="pill good">good</span>
            <span className="pill turn">your turn</span>
            <span className="pill loss">loss</span>
            <span className="tag">tag</span>
            <button type="button" className="chip" aria-pressed="true">
              chosen
            </button>
            <button type="button" className="chip" aria-pressed="false">
              not chosen
            </button>
          </p>
        </Part>
        <Part title="Wallets">
          {wallets.map((each) => (
            <Address key={each} of={each} you={wallets[1]} copies />
          ))}
          <p className="row">
            {wallets.map((each) => (
              <Avatar key={each} of={each} size={56} />
            ))}
            <CopyButton value="copied" label="Copy" />
          </p>
        </Part>
        <Part title="Amounts and times">
          <p>
            <Amount of={120_000n * tok} usd /> · <Amount of={123_456_789_012_345n} usd /> ·{' '}
            <Amount of={25_000_000n} token="usdc" />
          </p>
          <p>
            <Time at={now - 7_200} /> · <Time at={now + 90_000} /> · <TimeLeft to={now + 187_000} /> ·{' '}
            <TimeLeft to={now - 1} />
          </p>
        </Part>
        <Part title="Progress">
          {(['plain', 'turn', 'loss'] as const).map((tone, index) => (
            <Stepper key={tone} steps={steps} at={index + 2} tone={tone} />
          ))}
          <Stepper steps={steps} at={5} />
          <MoneyBar total={100n} paid={40n} held={35n} refunded={25n} />
        </Part>
        <Part title="Fields">
          <Field label="With help" help="Like 1,250.5">
            {(control) => <input {...control} />}
          </Field>
          <Field label="With an error" error="Not an amount of TOK.">
            {(control) => <input {...control} defaultValue="1,5" />}
          </Field>
        </Part>
        <Part title="Tabs">
          <Tabs
            chosen={tab}
            onChoose={setTab}
            tabs={['a', 'b', 'c'].map((id) => ({ id, label: `Tab ${id}`, content: () => <p>Panel {id}</p> }))}
          />
        </Part>
        <Part title="Loading and empty">
          <Skeleton />
          <SkeletonList rows={1} />
          <Empty action={<Button>Do something</Button>}>There is nothing here.</Empty>
        </Part>
        <Part title="Markdown">
          <Markdown
            of={
              '## A heading\n\nText with *stress*, **weight**, `code` and a [link](https://example.com).\n\n- one\n- two\n\n> A quotation\n\n<script>alert(1)</script>'
            }
          />
        </Part>
      </div>
    </>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card pad stack">
    <h2>{title}</h2>
    {children}
  </section>
)
