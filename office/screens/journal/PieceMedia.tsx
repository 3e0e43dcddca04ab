import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { useRef, useState } from 'react'
import type { PieceContent } from '#contract/office/documents.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { PictureInput } from '../../documents/PictureDialog.tsx'
import { coverAddress } from '../../documents/TitlePicker.tsx'
import { base64Of } from '../../net/base64-of.ts'
import { officeCall } from '../../net/office-call.ts'
import { sendFiles, type Sent } from '../../net/send-files.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { TextAreaField } from '../../ui/Field.tsx'

interface MediaProps {
  readonly content: PieceContent
  readonly set: (fields: Partial<PieceContent>) => void
}

/** The picture above the text and in lists, with what it shows. */
export function PiecePicture({ content: { pictureId, altText }, set }: MediaProps) {
  const send = useAct(
    async (file: File) => officeCall('POST /api/office/pictures', { body: { base64: await base64Of(file) } }),
    { onDone: ({ id }) => set({ pictureId: id, altText: '' }) },
  )
  return (
    <div className="form" data-field="pictureId">
      <h3>Picture</h3>
      <Refusal message={send.refusal} />
      {pictureId !== null && (
        <img src={coverAddress(pictureId, '330')} alt={altText} className="picture-chosen" />
      )}
      <div className="acts">
        <PictureInput
          label={pictureId === null ? 'Add a picture' : 'Change the picture'}
          busy={send.busy}
          onChoose={(file) => void send.write(file)}
        />
        {pictureId !== null && (
          <Button compact onClick={() => set({ pictureId: null, altText: '' })}>
            Take it out
          </Button>
        )}
      </div>
      {pictureId !== null && (
        <TextAreaField
          label="What the picture shows"
          hint="For people who can’t see it."
          data-field="altText"
          value={altText}
          onChange={({ target: { value } }) => set({ altText: value })}
        />
      )}
    </div>
  )
}

/** A podcast's recording. It is sent in pieces, so a dropped line only pauses it. */
export function PieceSound({ content: { audioId }, set }: MediaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState<Sent>()
  const send = useAct(
    async (file: File) => {
      const { id: batch } = await officeCall('POST /api/office/sounds/uploads')
      let last: Sent | undefined
      await sendFiles(batch, [{ path: file.name, file }], (now) => setSent((last = now)))
      if (last?.state === 'refused') return { refused: last.why ?? 'It could not be sent.' }
      return officeCall('POST /api/office/sounds', { body: { batch } })
    },
    {
      done: (reply) => ('id' in reply ? `${minutes(reply.seconds)} of sound are there.` : ''),
      // Times of the parts belong to the former recording.
      onDone: (reply) => 'id' in reply && set({ audioId: reply.id, parts: null }),
    },
  )
  const refused = send.data && 'refused' in send.data ? send.data.refused : ''
  return (
    <div className="form" data-field="audioId">
      <h3>Sound</h3>
      <Refusal message={send.refusal || refused} />
      <p className="hint" role="status">
        {send.busy ? progress(sent) : audioId === null ? 'No recording.' : 'It has a recording.'}
      </p>
      <div className="acts">
        <input
          ref={input}
          type="file"
          accept=".mp3,.m4a,audio/mpeg,audio/mp4"
          className="visually-hidden"
          tabIndex={-1}
          aria-label="A recording (MP3 or M4A)"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void send.write(file)
            target.value = ''
          }}
        />
        <Button compact icon={MicrophoneIcon} sends busy={send.busy} onClick={() => input.current?.click()}>
          {audioId === null ? 'Add a recording' : 'Change the recording'}
        </Button>
        {audioId !== null && !send.busy && (
          <Button compact onClick={() => set({ audioId: null, parts: null })}>
            Take it out
          </Button>
        )}
      </div>
    </div>
  )
}

function progress(sent: Sent | undefined): string {
  if (!sent || sent.state === 'arrived') return 'It is being read.'
  if (sent.state === 'lost') return 'The connection is lost. It carries on automatically.'
  return `${Math.floor((100 * sent.sent) / Math.max(1, sent.bytes))} per cent sent`
}

const minutes = (seconds: number): string => {
  const whole = Math.max(1, Math.round(seconds / 60))
  return `${whole} ${whole === 1 ? 'minute' : 'minutes'}`
}
