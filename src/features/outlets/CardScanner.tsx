import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { announce } from '#ui/announce.ts'
import styles from './CardScanner.module.css'
import { scan } from './scanner.ts'

interface CardScannerProps {
  onFound: (text: string) => void
  onStop: () => void
}

/** The camera's picture, until it has read one barcode. */
export function CardScanner({ onFound, onStop }: CardScannerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const [failed, setFailed] = useState(false)
  const found = useEffectEvent(onFound)
  useEffect(() => {
    const leaving = new AbortController()
    scan(video.current!, leaving.signal).then(
      (text) => text && found(text),
      () => {
        if (leaving.signal.aborted) return
        setFailed(true)
        announce(NO_CAMERA, 'assertive')
      },
    )
    return () => leaving.abort()
  }, [])
  return (
    <div className={styles.scanner}>
      <div className={styles.picture} hidden={failed}>
        <video ref={video} muted playsInline aria-label="Camera picture: hold the barcode inside the frame" />
        <svg viewBox="0 0 420 200" aria-hidden="true" preserveAspectRatio="none">
          <path d="M40 44V18h26M380 44V18h-26M40 156v26h26M380 156v26h-26" />
        </svg>
      </div>
      <p>
        <span>{failed ? NO_CAMERA : 'Hold the barcode in the frame'}</span>
        <button type="button" onClick={onStop}>
          {failed ? 'Close' : 'Stop'}
        </button>
      </p>
    </div>
  )
}

const NO_CAMERA =
  'We can’t use a camera here. Allow it in your browser, or type the number under the barcode.'
