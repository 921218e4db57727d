import { type ReactNode, useId } from 'react'

interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  className: 'input'
}

interface FieldProps {
  label: ReactNode
  help?: ReactNode
  /** What is wrong with the value. Replaces the help. */
  error?: string | null | undefined
  children: (control: FieldControl) => ReactNode
}

/** A labelled input with its help or its error. `children` draws the input with the given attributes. */
export function Field({ label, help, error, children }: FieldProps) {
  const id = useId()
  const hint = error ?? help
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': hint ? `${id}-help` : undefined,
        'aria-invalid': Boolean(error),
        className: 'input',
      })}
      {hint && (
        <p id={`${id}-help`} className={error ? 'help wrong' : 'help'}>
          {hint}
        </p>
      )}
    </div>
  )
}
