/** Lets the browser save a file where it saves downloads. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: file.name });
  link.click();
  // The browser reads the file after the click.
  window.setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
