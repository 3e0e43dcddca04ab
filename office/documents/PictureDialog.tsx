import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { useEffect, useRef, useState } from 'react'
import { LARGEST_PICTURE } from '#contract/limits.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { base64Of } from '../net/base64-of.ts'
import { officeCall } from '../net/office-call.ts'
import { useAct } from '../net/use-act.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { coverAddress } from './TitlePicker.tsx'

interface PictureDialogProps {
  /** What was dropped or pasted; otherwise it is chosen here. */
  readonly file: File | undefined
  readonly onPut: (markdown: string) => void
  readonly onClose: () => void
}

/** Stores a picture, and puts it into the text with what it shows. */
export function PictureDialog({ file: given, onPut, onClose }: PictureDialogProps) {
  const [file, setFile] = useState(given)
  const [shows, setShows] = useState('')
  const [caption, setCaption] = useState('')
  const address = useObjectUrl(file)
  const send = useAct(
    async (chosen: File) =>
      officeCall('POST /api/office/pictures', { body: { base64: await base64Of(chosen) } }),
    {
      onDone: ({ id }) => {
        const title = caption.trim() && ` "${caption.trim().replaceAll('"', '”')}"`
        onPut(`![${shows.trim().replaceAll(/[[\]\n]/g, ' ')}](${coverAddress(id, '900')}${title})`)
      },
    },
  )
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="A picture in the text"
      closeLabel="Cancel"
      actions={
        <Button
          look="beak"
          sends
          busy={send.busy}
          why={file ? (shows.trim() ? undefined : 'Say what it shows.') : 'Choose a picture first.'}
          onClick={() => file && void send.write(file)}
        >
          Put it in
        </Button>
      }
    >
      <div className="form">
        <Refusal message={send.refusal} />
        {address && <img src={address} alt="" className="picture-chosen" />}
        <PictureInput label={file ? 'Choose another one' : 'Choose a picture'} onChoose={setFile} />
        <Field
          label="What it shows"
          hint="For people who can’t see it."
          maxLength={500}
          value={shows}
          onChange={({ target: { value } }) => setShows(value)}
        />
        <Field
          label={
            <>
              Line below it <small>if it needs one</small>
            </>
          }
          maxLength={300}
          value={caption}
          onChange={({ target: { value } }) => setCaption(value)}
        />
      </div>
    </Dialog>
  )
}

interface PictureInputProps {
  readonly label: string
  readonly busy?: boolean
  readonly onChoose: (file: File) => void
}

export function PictureInput({ label, busy = false, onChoose }: PictureInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isTooLarge, setTooLarge] = useState(false)
  return (
    <div>
      <Refusal
        message={
          isTooLarge
            ? 'This file is larger than 8 MB. Save the picture smaller: 1,800 pixels are wide enough.'
            : ''
        }
      />
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="A picture (JPEG, PNG or WebP)"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          setTooLarge(file !== undefined && file.size > LARGEST_PICTURE)
          if (file && file.size <= LARGEST_PICTURE) onChoose(file)
          target.value = ''
        }}
      />
      <Button compact icon={ImageIcon} busy={busy} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </div>
  )
}

function useObjectUrl(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return undefined
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
