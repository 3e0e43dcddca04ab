import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { bytes } from '#format/bytes.ts'
import { plural } from '#format/plural.ts'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import styles from './library.module.css'

/** "5 downloads, 612 MB of 2 GB", and the way to manage them. */
export function SpaceSummary() {
  const downloads = useDownloadsStore((state) => state.byTitle)
  const [quota, setQuota] = useState(0)
  useEffect(() => {
    void navigator.storage?.estimate?.().then((estimate) => setQuota(estimate.quota ?? 0))
  }, [downloads])

  const kept = [...downloads.values()].filter(({ state }) => state !== 'none')
  const held = kept.reduce((sum, download) => sum + download.bytes, 0)
  const words = kept.length === 0 ? 'No downloads yet' : `${plural(kept.length, 'download')}, ${bytes(held)}`
  return (
    <div className={styles.space}>
      <p>
        <span>
          {words}
          {kept.length > 0 && quota > 0 && ` of ${bytes(quota)}`}
        </span>
        <Link to="/downloads">Manage</Link>
      </p>
      <ProgressLine
        share={quota > 0 ? held / quota : 0}
        tone="soft"
        label="Space used by downloads"
        valueText={words}
      />
    </div>
  )
}
