import { BookOpenIcon } from '@phosphor-icons/react/dist/csr/BookOpen'
import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { LinkIcon } from '@phosphor-icons/react/dist/csr/Link'
import { QuotesIcon } from '@phosphor-icons/react/dist/csr/Quotes'
import { TextHIcon } from '@phosphor-icons/react/dist/csr/TextH'
import { TextItalicIcon } from '@phosphor-icons/react/dist/csr/TextItalic'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { IconButton } from '../ui/Button.tsx'
import './documents.css'

interface MarkdownFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly field: string
  readonly placeholder?: string
  /** Also by dropping and pasting them. */
  readonly takesPictures?: boolean
}

/** Reading speed, in words per minute. */
const WORDS_A_MINUTE = 240

const PictureDialog = lazyPart(() => import('./PictureDialog.tsx'), 'PictureDialog')

export function MarkdownField({
  value,
  onChange,
  label,
  field,
  placeholder = 'Write here. A line that begins with ## is a heading.',
  takesPictures = false,
}: MarkdownFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [picture, setPicture] = useState<{ readonly file: File | undefined }>()
  const words = value.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word)).length
  const minutes = Math.max(1, Math.round(words / WORDS_A_MINUTE))
  /** Around what is selected, or at the beginning of its line. */
  const put = (before: string, after = '', atLine = false) => {
    const { current } = area
    if (!current) return
    const { selectionStart: from, selectionEnd: until } = current
    const start = atLine ? value.lastIndexOf('\n', from - 1) + 1 : from
    const selected = value.slice(start, until)
    onChange(value.slice(0, start) + before + selected + after + value.slice(until))
    requestAnimationFrame(() => {
      current.focus()
      current.setSelectionRange(start + before.length, start + before.length + selected.length)
    })
  }
  /** Text is left to the browser. */
  const takePicture = (event: { readonly preventDefault: () => void }, { files }: DataTransfer) => {
    const file = [...files].find(({ type }) => /^image\/(jpeg|png|webp)$/.test(type))
    if (!takesPictures || !file) return
    event.preventDefault()
    setPicture({ file })
  }
  return (
    <div className="markdown">
      <div className="markdown-tools" role="toolbar" aria-label="Format">
        <IconButton label="Heading" of={TextHIcon} onClick={() => put('## ', '', true)} />
        <IconButton label="Italic" of={TextItalicIcon} onClick={() => put('*', '*')} />
        <IconButton label="Link" of={LinkIcon} onClick={() => put('[', '](https://)')} />
        <IconButton label="Quotation" of={QuotesIcon} onClick={() => put('> ', '', true)} />
        {takesPictures && (
          <IconButton label="Picture" of={ImageIcon} onClick={() => setPicture({ file: undefined })} />
        )}
        <IconButton label="Link to a title" of={BookOpenIcon} onClick={() => put('[', '](/audiobooks/)')} />
        <span className="small muted push">
          {words > 0 &&
            `${words.toLocaleString('en-GB')} ${words === 1 ? 'word' : 'words'}, ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`}
        </span>
      </div>
      <textarea
        ref={area}
        className="markdown-text"
        aria-label={label}
        data-field={field}
        value={value}
        placeholder={placeholder}
        spellCheck
        rows={16}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => takePicture(event, event.clipboardData)}
        onDrop={(event) => takePicture(event, event.dataTransfer)}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
          if (event.key !== 'i') return
          event.preventDefault()
          put('*', '*')
        }}
      />
      <Suspense>
        {picture && (
          <PictureDialog
            file={picture.file}
            onClose={() => setPicture(undefined)}
            onPut={(markdown) => {
              setPicture(undefined)
              put(`\n\n${markdown}\n\n`)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
