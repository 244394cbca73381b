/** The folder of the origin's private file system that holds the recordings of this browser. */
const FOLDER = 'drive-recordings';

export async function openRecordingFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}
