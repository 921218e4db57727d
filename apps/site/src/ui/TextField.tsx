import type { ComponentProps, ReactNode } from 'react'
import { Field } from './Field.tsx'

interface LabelledText {
  label: ReactNode
  help?: ReactNode
  error?: string | null | undefined
  value: string
  onChange: (value: string) => void
}

type Attributes<Tag extends 'input' | 'textarea'> = Omit<ComponentProps<Tag>, keyof LabelledText | 'id' | 'className'>

/** One line of text with its label. */
export const TextField = ({ label, help, error, onChange, ...rest }: LabelledText & Attributes<'input'>) => (
  <Field label={label} help={help} error={error}>
    {(control) => <input {...control} {...rest} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)

/** Several lines of text with their label. */
export const TextArea = ({ label, help, error, onChange, ...rest }: LabelledText & Attributes<'textarea'>) => (
  <Field label={label} help={help} error={error}>
    {(control) => <textarea {...control} {...rest} onChange={({ target }) => onChange(target.value)} />}
  </Field>
)
