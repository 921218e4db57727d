import { useEffect, useId, useState } from 'react'
import { profileText } from '../text/profile.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { drawSquare, pictureTypes } from './drawSquare.ts'

const labels = profileText.edit

interface PictureFieldProps {
  wallet: string
  /** A new picture, the hash of the stored one, or none. */
  picture: Blob | string | null
  onChange: (picture: Blob | null) => void
}

/** Chooses the picture of a profile. It is drawn again here, small and square, so nothing else of the file leaves the device. */
export function PictureField({ wallet, picture, onChange }: PictureFieldProps) {
  const id = useId()
  const [problem, setProblem] = useState<string | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!(picture instanceof Blob)) return setUrl(null)
    const shown = URL.createObjectURL(picture)
    setUrl(shown)
    return () => URL.revokeObjectURL(shown)
  }, [picture])
  const choose = async (file: File | undefined) => {
    if (!file) return
    setProblem(null)
    try {
      onChange(await drawSquare(file))
    } catch {
      setProblem(labels.badPicture)
    }
  }
  return (
    <div className="form-field">
      <label htmlFor={id}>{labels.picture}</label>
      <div className="row">
        {url ? (
          <img className="avatar" src={url} width={56} height={56} alt="" />
        ) : (
          <Avatar of={wallet} size={56} picture={typeof picture === 'string' ? picture : null} />
        )}
        <input
          id={id}
          type="file"
          accept={pictureTypes.join(',')}
          aria-describedby={`${id}-help`}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
        {picture !== null && (
          <Button size="small" look="quiet" onClick={() => onChange(null)}>
            {labels.removePicture}
          </Button>
        )}
      </div>
      <p id={`${id}-help`} className={problem ? 'help wrong' : 'help'}>
        {problem ?? labels.pictureHelp}
      </p>
    </div>
  )
}
