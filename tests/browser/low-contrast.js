/**
 * Runs in a page. Returns the visible texts with less contrast than WCAG 2.2 (1.4.3, AA) requires, each with its ratio.
 */
;(() => {
  const BARE_GROUND = window.matchMedia('(prefers-color-scheme: dark)').matches
    ? [18, 18, 18]
    : [255, 255, 255]
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim()
    const element = walker.currentNode.parentElement
    if (text === '' || element.matches('noscript, option') || !element.checkVisibility()) continue
    const ratio = contrastOf(element)
    if (ratio < (isLarge(element) ? 3 : 4.5)) found.add(`${element.className} ${text.slice(0, 30)}: ${ratio}`)
  }
  return [...found]

  function contrastOf(element) {
    let ground = BARE_GROUND
    let opacity = 1
    for (const each of [...ancestors(element)].toReversed()) {
      const style = getComputedStyle(each)
      opacity *= Number(style.opacity)
      ground = mix(style.backgroundColor, 1, ground)
    }
    const ink = mix(getComputedStyle(element).color, opacity, ground)
    const [darker, lighter] = [luminance(ink), luminance(ground)].sort((a, b) => a - b)
    return Math.round(((lighter + 0.05) / (darker + 0.05)) * 100) / 100
  }

  function* ancestors(element) {
    for (let each = element; each; each = each.parentElement) yield each
  }

  function mix(color, opacity, ground) {
    const [red, green, blue, alpha = 1] = color.match(/[\d.]+(?:e-\d+)?/g).map(Number)
    // The result of `color-mix` has components from 0 to 1.
    const whole = color.startsWith('color(srgb') ? 255 : 1
    const share = alpha * opacity
    return [red, green, blue].map((part, index) => part * whole * share + ground[index] * (1 - share))
  }

  function luminance(color) {
    const [red, green, blue] = color.map(part => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  function isLarge(element) {
    const { fontSize, fontWeight } = getComputedStyle(element)
    const size = Number.parseFloat(fontSize)
    return size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700)
  }
})()
