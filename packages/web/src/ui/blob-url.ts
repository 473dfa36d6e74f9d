/** Hands bytes that are in memory to the browser's downloads. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  URL.revokeObjectURL(url)
}

/** Shows an image, sound or a film from memory in an element; what it returns ends that. */
export function showBlob(element: HTMLImageElement | HTMLMediaElement, blob: Blob): () => void {
  const url = URL.createObjectURL(blob)
  element.src = url
  return () => {
    // Loading begins a microtask after `src` is set (HTML, "update the image data"): a URL that is
    // revoked before that is an error on the console, unless nothing is to be loaded any more.
    element.removeAttribute('src')
    URL.revokeObjectURL(url)
  }
}
