import { useEffect, useState } from 'react'
import type { Holding } from '#storage/inventory.ts'
import { bytes } from '#format/bytes.ts'
import { plural } from '#format/plural.ts'
import { DownloadButton } from './DownloadButton.tsx'
import styles from './downloads.module.css'
import { FAILURE_WORDS } from './failure-words.ts'
import { useDownload } from './store.ts'

/** One title of the storage page, from what the device itself knows. */
export function DownloadRow({ holding: { title, bytes: held } }: { holding: Holding }) {
  const { state, failure, share, totalBytes } = useDownload(title.key)
  return (
    <li className={styles.row}>
      <StoredCover bytes={title.cover} type={title.coverType} />
      <div className={styles.words}>
        <p className={styles.title}>{title.title}</p>
        <p className={styles.rowNote}>{title.authors.join(', ')}</p>
        <p className={styles.rowNote}>
          {state === 'done' && `${bytes(held)}, plays offline`}
          {state === 'downloading' && `${Math.round(share * 100)}% of ${bytes(totalBytes)}`}
          {state === 'waiting' && 'Waiting for its turn or a connection'}
          {state === 'failed' && failure && FAILURE_WORDS[failure]}
          {title.key.startsWith('audio/') &&
            `${state === 'failed' ? ' ' : ', '}${plural(title.files.length, 'chapter')}`}
        </p>
      </div>
      <DownloadButton titleKey={title.key} of={title.title} />
    </li>
  )
}

function StoredCover({ bytes: picture, type }: { bytes: ArrayBuffer | null; type: string }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!picture) return undefined
    const url = URL.createObjectURL(new Blob([picture], { type }))
    setAddress(url)
    return () => URL.revokeObjectURL(url)
  }, [picture, type])
  return address ? <img className={styles.cover} src={address} alt="" /> : <span className={styles.cover} />
}
