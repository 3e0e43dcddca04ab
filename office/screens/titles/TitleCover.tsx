import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import type { EditedBook } from '#contract/office/titles.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { base64Of } from '../../net/base64-of.ts'
import { useMay } from '../../net/me.ts'
import { officeCall } from '../../net/office-call.ts'
import { useAct } from '../../net/use-act.ts'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Page.tsx'
import { FolderSays } from './FolderSays.tsx'
import type { Cropped } from './CropCover.tsx'
import type { EditedTitle } from './title-query.ts'
import { FORMAT_WORDS } from './title-words.tsx'

const CropCover = lazyPart(() => import('./CropCover.tsx'), 'CropCover')

/** The cover of each format: another picture, cropped here, or the drawing that an import makes. */
export const TitleCover = ({
  title,
  children,
}: {
  readonly title: EditedTitle
  readonly children: ReactNode
}) => (
  <Section title="Cover and colours">
    <div className="form" id="field-cover" tabIndex={-1}>
      {title.books.map((book) => (
        <CoverOf key={book.id} slug={title.slug} book={book} />
      ))}
      {children}
    </div>
  </Section>
)

function CoverOf({ slug, book }: { readonly slug: string; readonly book: EditedBook }) {
  const mayChange = useMay()('titles.change')
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const { format } = book
  const name = FORMAT_WORDS[format]
  const options = {
    changes: [['title', slug], ['titles']],
    done: ({ what }: { readonly what: string }) => `${what}.`,
    entry: ({ entry }: { readonly entry: number | null }) => entry,
  }
  const set = useAct(
    async ({ picture, colours }: Cropped) =>
      officeCall('PUT /api/office/titles/{slug}/cover', {
        params: { slug },
        body: { format, base64: await base64Of(picture), ...(colours ? { colours } : {}) },
      }),
    { ...options, onDone: () => setFile(undefined) },
  )
  const draw = useAct(
    () => officeCall('POST /api/office/titles/{slug}/cover/draw', { params: { slug }, body: { format } }),
    options,
  )
  return (
    <div>
      {file ? (
        <Suspense>
          <CropCover
            file={file}
            shape={format === 'audio_book' ? 1 : 2 / 3}
            busy={set.busy}
            onUse={(cropped) => void set.write(cropped)}
            onCancel={() => setFile(undefined)}
          />
        </Suspense>
      ) : (
        <div className="cover-now">
          {book.cover ? (
            <img src={book.cover} alt={`${name}’s cover`} />
          ) : (
            <span className="cover-none small muted">No cover yet</span>
          )}
          {mayChange && (
            <div className="acts">
              <input
                ref={input}
                type="file"
                accept="image/png,image/jpeg,image/webp"
                className="visually-hidden"
                tabIndex={-1}
                aria-label={`A picture for the ${name.toLowerCase()}`}
                onChange={({ target }) => {
                  setFile(target.files?.[0])
                  target.value = ''
                }}
              />
              <Button compact icon={ImageIcon} sends onClick={() => input.current?.click()}>
                {book.cover
                  ? `Another picture for the ${name.toLowerCase()}`
                  : `Choose a picture for the ${name.toLowerCase()}`}
              </Button>
              <Button
                compact
                busy={draw.busy}
                sends
                aria-label={`Draw one for the ${name.toLowerCase()}`}
                onClick={() => void draw.write()}
              >
                Draw one
              </Button>
            </div>
          )}
        </div>
      )}
      <Refusal message={set.refusal || draw.refusal} />
      <FolderSays slug={slug} book={book} field="cover" what={`${name}’s cover`} />
    </div>
  )
}
