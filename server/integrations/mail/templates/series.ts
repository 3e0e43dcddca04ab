import type { MailCover } from '../cover-queries.ts'
import type { EmailTemplate } from '../template.ts'

export const seriesConfirm: EmailTemplate<{ token: string; slug: string; series: string }> = ({
  token,
  slug,
  series,
}) => ({
  subject: `Shall we tell you about the next one? ${series}`,
  heading: 'One click, then one email',
  parts: [
    { text: `Somebody (we hope it was you) asked to hear when the next title in ${series} is out.` },
    { button: 'Yes, tell me', to: `/series/${slug}?confirm=${token}` },
    {
      small:
        'If it wasn’t you, ignore this email: we won’t write again unless you press the button. Changed your mind later? The link below ends it.',
    },
  ],
  unsubscribe: `/series/unsubscribe/${token}`,
})

export const seriesNext: EmailTemplate<{
  series: string
  title: string
  path: string
  number?: string
  covers?: readonly MailCover[]
}> = ({ series, title, path, number, covers = [] }) => ({
  subject: `${title} is out`,
  heading: `${title} is here`,
  parts: [
    { covers },
    {
      text: number
        ? `It’s book ${number} of ${series}, and it’s in the shop now.`
        : `It belongs to ${series}, and it’s in the shop now.`,
    },
    { button: 'See it', to: path },
    { small: 'You asked to be told once, and this was it. We’ve taken your address off the list.' },
  ],
})
