import { type FormEvent, useState } from 'react'
import { workKeysText as labels } from '../text/workKeys.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Note } from '../ui/Note.tsx'
import { TextField } from '../ui/TextField.tsx'
import { Connect } from '../wallet/Connect.tsx'
import { describeWorkError } from './describeWorkError.ts'
import { loadEngine } from './loadEngine.ts'
import { forgetSaved, rememberSaved } from './savedKey.ts'
import { saveFile } from './show/saveFile.ts'
import { useWorkKeys } from './useWorkKeys.ts'

type Way = 'save' | 'restore' | 'rotate'

/** The reading key of the wallet on this device: save it, restore it, replace it. */
export function ReadingKey() {
  const { wallet, keys, isSignedIn, signIn, error } = useWorkKeys()
  const [way, setWay] = useState<Way | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { isBusy, problem, run } = useBusy()
  const finish = (message: string) => {
    setWay(null)
    setDone(message)
  }
  return (
    <section className="reading-key" id="reading-key">
      <div className="stack tight">
        <h2>{labels.title}</h2>
        <p className="small soft">{labels.description}</p>
      </div>
      {!wallet ? (
        <Connect />
      ) : (
        <div className="row wrapping">
          {!isSignedIn && (
            <Button busy={isBusy} onClick={() => void run(signIn).then((isGood) => isGood && finish(labels.signedIn))}>
              {labels.signIn}
            </Button>
          )}
          {keys && (
            <Button aria-expanded={way === 'save'} onClick={() => setWay('save')}>
              {labels.save.open}
            </Button>
          )}
          <Button aria-expanded={way === 'restore'} onClick={() => setWay('restore')}>
            {labels.restore.open}
          </Button>
          {keys && (
            <Button look="quiet" aria-expanded={way === 'rotate'} onClick={() => setWay('rotate')}>
              {labels.rotate.open}
            </Button>
          )}
        </div>
      )}
      <Note tone="loss">{problem ?? error?.message}</Note>
      {way === 'save' && <SaveForm onDone={() => finish(labels.save.done)} />}
      {way === 'restore' && <RestoreForm onDone={() => finish(labels.restore.done)} />}
      {way === 'rotate' && <RotateForm onDone={() => finish(labels.rotate.done)} />}
      <div role="status">{done && <p className="small">{done}</p>}</div>
    </section>
  )
}

function SaveForm({ onDone }: { onDone: () => void }) {
  const { keys } = useWorkKeys()
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const { isBusy, problem, run, setProblem } = useBusy()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const { encryptKeyBackup, minPassphraseLength } = await loadEngine()
    if (passphrase.length < minPassphraseLength) return setProblem(labels.save.short(minPassphraseLength))
    if (passphrase !== again) return setProblem(labels.save.different)
    const isSaved = await run(async () => {
      if (!keys) return
      const { version, wallet, readingIdentity, devicePrivateKey } = keys
      const text = await encryptKeyBackup({ version, wallet, readingIdentity, devicePrivateKey }, passphrase)
      saveFile(`task-market-key-${wallet.slice(0, 8)}.age`, new TextEncoder().encode(text))
      rememberSaved(wallet)
    })
    if (isSaved) onDone()
  }
  return (
    <form className="stack key-form" onSubmit={(event) => void save(event)}>
      <p className="small soft">{labels.save.description}</p>
      <Passphrase label={labels.save.passphrase} value={passphrase} onChange={setPassphrase} isNew />
      <Passphrase label={labels.save.again} value={again} onChange={setAgain} isNew />
      <Note tone="loss">{problem}</Note>
      <div>
        <Button type="submit" look="primary" busy={isBusy}>
          {labels.save.button}
        </Button>
      </div>
    </form>
  )
}

function RestoreForm({ onDone }: { onDone: () => void }) {
  const { restore, wallet } = useWorkKeys()
  const [file, setFile] = useState<File | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const { isBusy, problem, run, setProblem } = useBusy()
  const open = async (event: FormEvent) => {
    event.preventDefault()
    if (!file) return setProblem(labels.restore.noFile)
    if (file.size > maxFileBytes) return setProblem(labels.restore.wrongFile)
    if (!(await run(async () => restore(await file.text(), passphrase)))) return
    if (wallet) rememberSaved(wallet)
    onDone()
  }
  return (
    <form className="stack key-form" onSubmit={(event) => void open(event)}>
      <p className="small soft">{labels.restore.description}</p>
      <Field label={labels.restore.file}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".age,text/plain"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
        )}
      </Field>
      <Passphrase label={labels.restore.passphrase} value={passphrase} onChange={setPassphrase} />
      <Note tone="loss">{problem}</Note>
      <div>
        <Button type="submit" look="primary" busy={isBusy}>
          {labels.restore.button}
        </Button>
      </div>
    </form>
  )
}

function RotateForm({ onDone }: { onDone: () => void }) {
  const { rotate, wallet } = useWorkKeys()
  const { isBusy, problem, run } = useBusy()
  const replace = async () => {
    if (!(await run(rotate))) return
    if (wallet) forgetSaved(wallet)
    onDone()
  }
  return (
    <div className="stack key-form">
      <p className="small soft">{labels.rotate.description}</p>
      <Note tone="loss">{problem}</Note>
      <div>
        <Button look="danger" busy={isBusy} onClick={() => void replace()}>
          {labels.rotate.button}
        </Button>
      </div>
    </div>
  )
}

interface PassphraseProps {
  label: string
  value: string
  onChange: (value: string) => void
  isNew?: boolean
}

const Passphrase = ({ label, value, onChange, isNew = false }: PassphraseProps) => (
  <TextField
    label={label}
    type="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    value={value}
    onChange={onChange}
  />
)

/** A backup is a few hundred bytes. */
const maxFileBytes = 64 * 1_024

/** Runs something that may fail, and says why it did. */
function useBusy() {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(describeWorkError(error).message)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, setProblem, run }
}
