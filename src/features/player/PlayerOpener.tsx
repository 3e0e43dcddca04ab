import { useEffect, useState, type ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { thePlayer } from './lazy.ts'
import { sameTitle, type TitleRef } from './model.ts'
import { Player, type PlayerProps } from './Player.tsx'
import styles from './PlayerOpener.module.css'
import { usePlayer } from './store.ts'

export interface PlayerOpenerProps extends PlayerProps {
  title: TitleRef
  /** Shown when the title cannot be opened; `reason` is what `loadBook` rejected with. */
  failed: (reason: unknown) => ReactNode
}

/**
 * The screen of `/player/{slug}` and `/sample/{slug}`: opens the title, then shows it. The title that was playing
 * before plays on until then.
 */
export function PlayerOpener({ title, failed, ...shown }: PlayerOpenerProps) {
  const { slug, kind } = title
  const there = usePlayer((store) => !store.isInOtherWindow && sameTitle(store.state.title, { slug, kind }))
  const [failure, setFailure] = useState<{ slug: string; reason: unknown }>()

  useEffect(() => {
    let left = false
    thePlayer()
      .then((player) => player.open({ slug, kind }))
      .catch((reason: unknown) => {
        if (!left) setFailure({ slug, reason })
      })
    return () => {
      left = true
    }
  }, [slug, kind])

  if (failure?.slug === slug) return failed(failure.reason)
  if (there) return <Player {...shown} />
  return (
    <section className={styles.opening} aria-label="Player" aria-busy="true">
      <div className={styles.art}>
        <Skeleton cover ratio="1" />
      </div>
      <Display as="h1" size="sm">
        Opening the player
      </Display>
    </section>
  )
}
