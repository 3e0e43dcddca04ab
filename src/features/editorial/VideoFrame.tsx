import { useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { videoOf } from './model.ts'
import styles from './VideoFrame.module.css'

interface VideoFrameProps {
  link: string
  title: string
}

/**
 * A film of one of the two known hosts, fetched only after a press: nothing of theirs is asked for before
 * (no third party without a yes). A link to anywhere else is a link; what is no link says so (EDIT-06).
 */
export function VideoFrame({ link, title }: VideoFrameProps) {
  const [playing, setPlaying] = useState(false)
  const video = videoOf(link)
  if (video.kind === 'invalid') return <p className={styles.invalid}>Invalid URL</p>
  if (video.kind === 'link')
    return (
      <p>
        <a href={video.address} rel="noopener external" className={styles.link}>
          Watch the film
        </a>
      </p>
    )
  return (
    <div className={styles.frame}>
      {playing ? (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- the film's own player needs its scripts and its origin
        <iframe
          src={video.address}
          title={`Film: ${title}`}
          allow="fullscreen; picture-in-picture; encrypted-media"
          referrerPolicy="strict-origin-when-cross-origin"
          allowFullScreen
        />
      ) : (
        <div className={styles.ask}>
          <p>The film comes from {new URL(video.address).hostname.replace(/^www\./, '')}.</p>
          <Button look="solid" onClick={() => setPlaying(true)}>
            Show the film
          </Button>
        </div>
      )}
    </div>
  )
}
