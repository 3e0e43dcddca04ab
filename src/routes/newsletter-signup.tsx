import { createFileRoute } from '@tanstack/react-router'
import { NewsletterConfirmed } from '#features/pages/NewsletterConfirmed.tsx'
import { NewsletterForm } from '#features/pages/NewsletterForm.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { NEWSLETTER } from '../app/links.ts'
import { PageHead } from '../app/PageHead.tsx'
import styles from './-Page.module.css'
import { PageTop } from './-PageTop.tsx'

export const Route = createFileRoute('/newsletter-signup')({
  validateSearch: (search: Record<string, unknown>): { confirm?: string } =>
    typeof search.confirm === 'string' ? { confirm: search.confirm } : {},
  component: NewsletterScreen,
})

function NewsletterScreen() {
  const { confirm } = Route.useSearch()
  return (
    <Wrap className={styles.page}>
      <PageHead title={NEWSLETTER.title} description={NEWSLETTER.words} canonical="/newsletter-signup" />
      <PageTop title={NEWSLETTER.title} lead={NEWSLETTER.words} />
      <div className={styles.body}>
        {confirm ? <NewsletterConfirmed token={confirm} /> : <NewsletterForm />}
      </div>
    </Wrap>
  )
}
