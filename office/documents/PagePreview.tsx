import { useEffect, useRef, useState } from 'react'
import { addressOf } from '#net/call.ts'
import { officeFile } from '../net/office-call.ts'
import type { DocumentName } from './use-document.ts'
import './documents.css'

interface PagePreviewProps {
  readonly name: DocumentName
  /** Another one means that something was saved. */
  readonly version: number
  readonly title: string
}

/** The shop's own page with the draft in it, as its server renders it. Nothing in it runs, and no link leads away. */
export function PagePreview({ name: { kind, key }, version, title }: PagePreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const shown = useRef(version)
  const [failed, setFailed] = useState(false)
  const [address] = useState(() =>
    addressOf('GET /api/office/documents/{kind}/{key}/preview', { params: { kind, key } }),
  )
  useEffect(() => {
    if (shown.current === version) return undefined
    let isCurrent = true
    // Only the page's content is replaced, so that it stays where the reader is.
    officeFile('GET /api/office/documents/{kind}/{key}/preview', { params: { kind, key } })
      .then((file) => file.text())
      .then((html) => {
        const page = new DOMParser().parseFromString(html, 'text/html').querySelector('main')
        const before = frame.current?.contentDocument?.querySelector('main')
        if (!isCurrent || !page || !before) return
        shown.current = version
        before.replaceWith(page)
        setFailed(false)
      })
      .catch(() => isCurrent && setFailed(true))
    return () => {
      isCurrent = false
    }
  }, [kind, key, version])
  return (
    <div className="page-preview">
      <p className="small muted" role="status">
        {failed
          ? 'The page as it will look isn’t up to date: there’s no connection.'
          : 'The page as it will look'}
      </p>
      <iframe
        ref={frame}
        src={address}
        title={title}
        sandbox="allow-same-origin"
        onLoad={({ currentTarget: { contentDocument } }) => {
          contentDocument?.addEventListener('click', (event) => event.preventDefault(), true)
        }}
      />
    </div>
  )
}
