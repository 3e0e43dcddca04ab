/**
 * The country in the browser's language: `GB` for `en-GB`, or an empty string. `en-US` counts as none, because it is the
 * default of most browsers all over the world.
 */
export function guessedCountry(languages: readonly string[] = navigator.languages): string {
  const [language = ''] = languages
  if (language === 'en-US') return ''
  try {
    const { region = '' } = new Intl.Locale(language)
    return /^[A-Z]{2}$/.test(region) ? region : ''
  } catch {
    return ''
  }
}
