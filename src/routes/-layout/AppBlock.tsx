import { AnchorButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './layout.module.css'

interface AppBlockProps {
  title?: string
  appStoreLink: string | null
  playStoreLink: string | null
}

/** Hidden if the stores have no app (HOME-14). */
export function AppBlock({ title = 'Take it with you', appStoreLink, playStoreLink }: AppBlockProps) {
  if (!appStoreLink && !playStoreLink) return null
  return (
    <section className={styles.appBlock} aria-labelledby="app">
      <Display as="h2" size="md" id="app">
        {title}
      </Display>
      <p>
        The app plays your downloads where the network ends, and keeps your place in step with the website.
      </p>
      <div className={styles.appLinks}>
        {appStoreLink && (
          <AnchorButton look="quiet" href={appStoreLink} rel="noopener external">
            App Store
          </AnchorButton>
        )}
        {playStoreLink && (
          <AnchorButton look="quiet" href={playStoreLink} rel="noopener external">
            Google Play
          </AnchorButton>
        )}
      </div>
    </section>
  )
}
