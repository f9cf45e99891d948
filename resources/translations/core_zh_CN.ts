<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>'utf-8' codec can't decode byte {0} in position {1:n}: {2}</source>
        <translation>'utf-8' 编解码器无法解码位置 {1} 的字节 {0}：{2}</translation>
    </message>
    <message>
        <source>({0})</source>
        <translation>（{0}）</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>1 reader</source>
        <translation>1 个读取器</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 个样本</translation>
    </message>
    <message>
        <source>1 warm starts with {0}</source>
        <translation>用 {0} 热启动 1 次</translation>
    </message>
    <message>
        <source>3 GB/s: drives on PCIe 3.0 × 4, whose link carries 3.9 GB/s</source>
        <translation>3 GB/s：PCIe 3.0 × 4 上的硬盘，其链路速率为 3.9 GB/s</translation>
    </message>
    <message>
        <source>34 bytes for 32 weights; where the disk is the limit, time goes with bytes</source>
        <translation>32 个权重占 34 字节；若瓶颈在磁盘，时间与字节数成正比</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>A FUSE program</source>
        <translation>某个 FUSE 程序</translation>
    </message>
    <message>
        <source>A PCIe link above {0} runs as fast as it can.</source>
        <translation>{0} 上游的一条 PCIe 链路已达最高速度。</translation>
    </message>
    <message>
        <source>A PCIe link above {0} runs below what both of its ends can do.</source>
        <translation>{0} 上游的一条 PCIe 链路低于两端都支持的速度。</translation>
    </message>
    <message>
        <source>A cache that this system does not see (a host's, a server's, the disk's) answers reads: the disk itself may be slower.</source>
        <translation>有本系统看不到的缓存（宿主机、服务器或磁盘自身的）在响应读取：磁盘本身可能更慢。</translation>
    </message>
    <message>
        <source>A cgroup grants fewer processors than are in sight; too many readers get stopped.</source>
        <translation>cgroup 允许使用的处理器少于可见的数量；读取器过多会被暂停。</translation>
    </message>
    <message>
        <source>A cgroup limits memory, and the page cache of what is loaded counts towards it.</source>
        <translation>cgroup 限制了内存，而加载内容的页缓存也计入其中。</translation>
    </message>
    <message>
        <source>A chunks event has columns of different lengths.</source>
        <translation>一个 chunks 事件的各列长度不同。</translation>
    </message>
    <message>
        <source>A delivers {0} and B {1} memory.</source>
        <translation>A 交付 {0} 内存，B 交付 {1} 内存。</translation>
    </message>
    <message>
        <source>A dict of arrays, each copied.</source>
        <translation>数组字典，逐个复制。</translation>
    </message>
    <message>
        <source>A dict of arrays, each copied. Needs no torch.</source>
        <translation>数组字典，逐个复制。不需要 torch。</translation>
    </message>
    <message>
        <source>A dict of torch tensors.</source>
        <translation>torch 张量字典。</translation>
    </message>
    <message>
        <source>A dict of torch tensors. Wins when it is cached.</source>
        <translation>torch 张量字典。已缓存时最佳。</translation>
    </message>
    <message>
        <source>A difference of {0} or more would have been seen.</source>
        <translation>{0} 或更大的差异本可测出。</translation>
    </message>
    <message>
        <source>A difference of {0} or more would have been seen; one of {1} takes about {2} pairs.</source>
        <translation>{0} 或更大的差异本可测出；要测出 {1} 的差异约需 {2} 次配对。</translation>
    </message>
    <message>
        <source>A direct read fails: {0}</source>
        <translation>直接读取失败：{0}</translation>
    </message>
    <message>
        <source>A direct read fails: {0}.</source>
        <translation>直接读取失败：{0}。</translation>
    </message>
    <message>
        <source>A faster slot, if there is one, raises the limit.</source>
        <translation>若有更快的插槽，换上去可以提高上限。</translation>
    </message>
    <message>
        <source>A hard disk is fastest front to back: several readers, or page faults, make it seek.</source>
        <translation>机械硬盘从头到尾读取最快：多个读取器或缺页都会让它寻道。</translation>
    </message>
    <message>
        <source>A loader closed its output and does not end.</source>
        <translation>加载器关闭了输出但没有结束。</translation>
    </message>
    <message>
        <source>A loader ended early with exit code {0:n}.</source>
        <translation>加载器提前结束，退出码 {0}。</translation>
    </message>
    <message>
        <source>A loader lost its file while it was mapped (bus error).</source>
        <translation>加载器在映射期间失去了文件（总线错误）。</translation>
    </message>
    <message>
        <source>A loader was killed (signal 9).</source>
        <translation>加载器被杀死（信号 9）。</translation>
    </message>
    <message>
        <source>A loader was killed by the kernel (signal 9): {0} ran out of memory.</source>
        <translation>加载器被内核杀死（信号 9）：{0}内存耗尽。</translation>
    </message>
    <message>
        <source>A loader was stopped by signal {0:n}.</source>
        <translation>加载器被信号 {0} 终止。</translation>
    </message>
    <message>
        <source>A map of the page cache does not fit its files.</source>
        <translation>页缓存图与其文件不符。</translation>
    </message>
    <message>
        <source>A mapped model loads, but is read from the disk again and again.</source>
        <translation>映射方式可以加载模型，但会一再从磁盘重新读取。</translation>
    </message>
    <message>
        <source>A plan has names and sizes of different numbers.</source>
        <translation>计划中的名称与大小数目不同。</translation>
    </message>
    <message>
        <source>A portion of 0 bytes loads nothing.</source>
        <translation>0 字节的部分加载什么也不会加载。</translation>
    </message>
    <message>
        <source>A prefetch window smaller than one request reads nothing ahead.</source>
        <translation>小于一个请求的预取窗口读不到任何内容。</translation>
    </message>
    <message>
        <source>A probe cannot last {0} seconds.</source>
        <translation>磁盘测速不能持续 {0} 秒。</translation>
    </message>
    <message>
        <source>A probe takes a path, and how many seconds it may last.</source>
        <translation>磁盘测速需要一个路径和允许的秒数。</translation>
    </message>
    <message>
        <source>A rank is a process already, so its readers are threads.</source>
        <translation>并行秩本身就是进程，所以其读取器是线程。</translation>
    </message>
    <message>
        <source>A request read shard {0:n} of {1:n}.</source>
        <translation>一个请求读取了第 {0} 个分片，而分片共有 {1} 个。</translation>
    </message>
    <message>
        <source>A sample came {0}: the machine is busy.</source>
        <translation>一个样本{0}：机器正忙。</translation>
    </message>
    <message>
        <source>A sample cannot have {0:n} layers.</source>
        <translation>示例模型不能有 {0} 层。</translation>
    </message>
    <message>
        <source>A sample of {0:n} layers cannot be as small as {1}.</source>
        <translation>{0} 层的示例模型不能小到 {1}。</translation>
    </message>
    <message>
        <source>A sample of {0} does not fit into {1}: {2} are free, and {3} must stay free.</source>
        <translation>{0} 的示例模型放不进 {1}：可用 {2}，且必须保留 {3}。</translation>
    </message>
    <message>
        <source>A slice needs more than one rank; a single one loads the whole.</source>
        <translation>切片需要多个并行秩；单个并行秩会加载全部。</translation>
    </message>
    <message>
        <source>A slot above {0} is slower than what is in it.</source>
        <translation>{0} 上游的一个插槽比其中的设备慢。</translation>
    </message>
    <message>
        <source>A stored value cannot be understood: {0}</source>
        <translation>无法理解存储的值：{0}</translation>
    </message>
    <message>
        <source>A strategy of modelmon may copy less, or with more cores.</source>
        <translation>modelmon 的策略可能复制得更少，或用更多的核来复制。</translation>
    </message>
    <message>
        <source>A {0}; B {1}.</source>
        <translation>A {0}；B {1}。</translation>
    </message>
    <message>
        <source>A's memory is mapped and evictable, the other's is owned.</source>
        <translation>A 的内存是映射的，可被回收；另一个的是私有内存。</translation>
    </message>
    <message>
        <source>A's time ÷ B's, {0:n}: {1}, {2} each</source>
        <translation>A 的时间 ÷ B 的时间，{0} 区间：{1}，各 {2}</translation>
    </message>
    <message>
        <source>A's time ÷ B's: {0}, {1} each</source>
        <translation>A 的时间 ÷ B 的时间：{0}，各 {1}</translation>
    </message>
    <message>
        <source>About {0:n} instead of {1:n}.</source>
        <translation>约 {0}，而不是 {1}。</translation>
    </message>
    <message>
        <source>Access {0} does not wait in the page cache, where prefetch reads to.</source>
        <translation>访问方式 {0} 不使用页缓存，而预取正是读入页缓存。</translation>
    </message>
    <message>
        <source>Access {0} has no readahead that advice could change.</source>
        <translation>访问方式 {0} 没有可由 advice 改变的预读。</translation>
    </message>
    <message>
        <source>Add a file's name.</source>
        <translation>请加上文件名。</translation>
    </message>
    <message>
        <source>Along the file</source>
        <translation>沿文件分布</translation>
    </message>
    <message>
        <source>An event of unknown type {0} was skipped.</source>
        <translation>跳过了一个未知类型 {0} 的事件。</translation>
    </message>
    <message>
        <source>An object store answers large requests of readers with their own descriptors best; page faults look random to it.</source>
        <translation>对象存储最适合各读取器用自己的描述符发出大请求；缺页对它来说像随机读取。</translation>
    </message>
    <message>
        <source>Another process has the file mapped, so its pages cannot be dropped from memory.</source>
        <translation>另一个进程映射了该文件，因此它的页无法从内存中移除。</translation>
    </message>
    <message>
        <source>Another process has the file open.</source>
        <translation>另一个进程打开了该文件。</translation>
    </message>
    <message>
        <source>Arrays on a map.</source>
        <translation>映射上的数组。</translation>
    </message>
    <message>
        <source>Arrays on a map. Slow where vocabularies are large.</source>
        <translation>映射上的数组。词表大时较慢。</translation>
    </message>
    <message>
        <source>As a private copy</source>
        <translation>私有副本</translation>
    </message>
    <message>
        <source>As most runtimes do.</source>
        <translation>与多数运行时相同。</translation>
    </message>
    <message>
        <source>As most runtimes do. Wins when it is cached.</source>
        <translation>与多数运行时相同。已缓存时最佳。</translation>
    </message>
    <message>
        <source>As root: {0}</source>
        <translation>以 root 身份运行：{0}</translation>
    </message>
    <message>
        <source>Ask for example for 8GiB.</source>
        <translation>例如请求 8GiB。</translation>
    </message>
    <message>
        <source>Ask for more at a time: larger requests, file order, more readers, each with a descriptor of its own.</source>
        <translation>一次多请求一些：更大的请求、按文件顺序、更多读取器，且各用自己的描述符。</translation>
    </message>
    <message>
        <source>At best {0:n} instead of {1:n}.</source>
        <translation>最好情况下 {0}，而不是 {1}。</translation>
    </message>
    <message>
        <source>At best {0}</source>
        <translation>最快 {0}</translation>
    </message>
    <message>
        <source>At most {0:n} runs</source>
        <translation>最多 {0} 次运行</translation>
    </message>
    <message>
        <source>Axes: {0}.</source>
        <translation>可用的轴：{0}。</translation>
    </message>
    <message>
        <source>B {0}; A {1}.</source>
        <translation>B {0}；A {1}。</translation>
    </message>
    <message>
        <source>B's memory is mapped and evictable, the other's is owned.</source>
        <translation>B 的内存是映射的，可被回收；另一个的是私有内存。</translation>
    </message>
    <message>
        <source>Before measuring cold loads, read other files than this one, or ask for a cold host.</source>
        <translation>测量冷启动前，请先读取其他文件，或请求一台冷的宿主机。</translation>
    </message>
    <message>
        <source>Begin anew.</source>
        <translation>请重新开始。</translation>
    </message>
    <message>
        <source>Believe a run only where the bytes from the device show how it started.</source>
        <translation>只有来自设备的字节数能说明启动状态时，才可相信该次运行。</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>下层</translation>
    </message>
    <message>
        <source>Best for {0:n}</source>
        <translation>{0} 的最短时间</translation>
    </message>
    <message>
        <source>Both arms are libraries ({0} and {1}), which load by themselves: there is nothing to store.</source>
        <translation>双方都是库（{0} 和 {1}），它们自行加载：没有可保存的内容。</translation>
    </message>
    <message>
        <source>By rule of thumb: {0}</source>
        <translation>经验法则：{0}</translation>
    </message>
    <message>
        <source>By the probe a load of {0:n} takes at least {1} here.</source>
        <translation>根据磁盘测速，在此处加载 {0} 至少需要：{1}。</translation>
    </message>
    <message>
        <source>Cached now</source>
        <translation>当前缓存</translation>
    </message>
    <message>
        <source>Cached parts by cache, others past it.</source>
        <translation>已缓存部分走缓存，其余绕过。</translation>
    </message>
    <message>
        <source>Cached parts by cache, others past it. Wins mostly.</source>
        <translation>已缓存部分走缓存，其余绕过。多数情况下最佳。</translation>
    </message>
    <message>
        <source>Call the library itself, or choose a strategy of modelmon.</source>
        <translation>请直接调用该库，或选择 modelmon 的策略。</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>无法分配内存</translation>
    </message>
    <message>
        <source>Cannot be used here.</source>
        <translation>在这里无法使用。</translation>
    </message>
    <message>
        <source>Cgroup limit</source>
        <translation>cgroup 限制</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>设备链</translation>
    </message>
    <message>
        <source>Check its rights, the disk or the network mount, then try again.</source>
        <translation>请检查其权限、磁盘或网络挂载，然后重试。</translation>
    </message>
    <message>
        <source>Check that disk, and the space on it.</source>
        <translation>请检查该磁盘及其可用空间。</translation>
    </message>
    <message>
        <source>Check that it exists and is readable.</source>
        <translation>请检查它是否存在且可读。</translation>
    </message>
    <message>
        <source>Check that the program was installed in one piece, then run again.</source>
        <translation>请检查程序是否完整安装，然后重新运行。</translation>
    </message>
    <message>
        <source>Check that {0} can be run.</source>
        <translation>请检查 {0} 能否运行。</translation>
    </message>
    <message>
        <source>Check the disk or the network mount, then try again.</source>
        <translation>请检查磁盘或网络挂载，然后重试。</translation>
    </message>
    <message>
        <source>Check the folder's rights, or choose another one with MODELMON_DATA_DIR.</source>
        <translation>请检查文件夹的权限，或用 MODELMON_DATA_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Check the path and its rights.</source>
        <translation>请检查路径及其权限。</translation>
    </message>
    <message>
        <source>Check the path, or mount what holds it.</source>
        <translation>请检查路径，或挂载其所在的存储。</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>Check the permissions and the storage.</source>
        <translation>请检查权限和存储。</translation>
    </message>
    <message>
        <source>Choose a .safetensors or .gguf file, an index, or the folder of a model.</source>
        <translation>请选择 .safetensors 或 .gguf 文件、索引，或模型的文件夹。</translation>
    </message>
    <message>
        <source>Choose a .safetensors or .gguf file.</source>
        <translation>请选择 .safetensors 或 .gguf 文件。</translation>
    </message>
    <message>
        <source>Choose a delivery other than untouched.</source>
        <translation>请选择 untouched 以外的交付方式。</translation>
    </message>
    <message>
        <source>Choose a smaller size or another place.</source>
        <translation>请选择更小的大小或另一个位置。</translation>
    </message>
    <message>
        <source>Choose access read or auto.</source>
        <translation>请选择 access 为 read 或 auto。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择另一个文件。</translation>
    </message>
    <message>
        <source>Choose another folder or free space.</source>
        <translation>请选择另一个文件夹或释放空间。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择另一个文件夹。</translation>
    </message>
    <message>
        <source>Choose another name for the results.</source>
        <translation>请为结果选择另一个名称。</translation>
    </message>
    <message>
        <source>Choose another name, or overwrite it.</source>
        <translation>请选择另一个名称，或覆盖它。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请选择另一个名称。</translation>
    </message>
    <message>
        <source>Choose another one with MODELMON_DATA_DIR.</source>
        <translation>请用 MODELMON_DATA_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Choose another place for the sample.</source>
        <translation>请为示例模型选择另一个位置。</translation>
    </message>
    <message>
        <source>Choose another strategy.</source>
        <translation>请选择其他策略。</translation>
    </message>
    <message>
        <source>Choose deliver usable or owned.</source>
        <translation>请选择 deliver 为 usable 或 owned。</translation>
    </message>
    <message>
        <source>Choose deliver usable or owned; modelmon run shows an untouched time by itself.</source>
        <translation>请选择 deliver 为 usable 或 owned；modelmon run 可单独显示 untouched 的时间。</translation>
    </message>
    <message>
        <source>Choose from {0} to {1}.</source>
        <translation>请在 {0} 到 {1} 之间选择。</translation>
    </message>
    <message>
        <source>Choose one of: {0}.</source>
        <translation>请从中选择：{0}。</translation>
    </message>
    <message>
        <source>Choose prefetch_bytes up to {0}.</source>
        <translation>请选择不超过 {0} 的 prefetch_bytes。</translation>
    </message>
    <message>
        <source>Choose tensors or blocks instead of a part.</source>
        <translation>请选择张量或块，而不是一部分。</translation>
    </message>
    <message>
        <source>Choose the folder of a model.</source>
        <translation>请选择模型的文件夹。</translation>
    </message>
    <message>
        <source>Choose the index of the safetensors files.</source>
        <translation>请选择 safetensors 文件的索引。</translation>
    </message>
    <message>
        <source>Choose the name of a file.</source>
        <translation>请选择文件名。</translation>
    </message>
    <message>
        <source>Choose the same delivery for both.</source>
        <translation>请为两者选择相同的交付方式。</translation>
    </message>
    <message>
        <source>Choose {0:n} to {1:n}.</source>
        <translation>请选择 {0} 到 {1}。</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Close other programs, or load a part with --portion.</source>
        <translation>请关闭其他程序，或用 --portion 加载一部分。</translation>
    </message>
    <message>
        <source>Close other programs, or raise the memory limit.</source>
        <translation>请关闭其他程序，或提高内存限制。</translation>
    </message>
    <message>
        <source>Close other programs, raise the limit, load a part, or read past the page cache.</source>
        <translation>关闭其他程序、提高上限、部分加载，或绕过页缓存读取。</translation>
    </message>
    <message>
        <source>Close that program, then run again.</source>
        <translation>请关闭该程序，然后重新运行。</translation>
    </message>
    <message>
        <source>Close what holds memory before loading.</source>
        <translation>加载前请关闭占用内存的程序。</translation>
    </message>
    <message>
        <source>Close what holds memory, raise the limit, add RAM, or use a smaller quantisation.</source>
        <translation>关闭占用内存的程序，提高限制，增加内存，或使用更小的量化版本。</translation>
    </message>
    <message>
        <source>Close what keeps the processors busy.</source>
        <translation>请关闭占用处理器的程序。</translation>
    </message>
    <message>
        <source>Close what uses the file, then run again.</source>
        <translation>请关闭使用该文件的程序，然后重新运行。</translation>
    </message>
    <message>
        <source>Cold here; what lies behind {0} may have had the bytes in memory.</source>
        <translation>在本机是冷启动；{0} 背后的系统可能已把数据放在内存中。</translation>
    </message>
    <message>
        <source>Cold starts were not measured.</source>
        <translation>未测量冷启动。</translation>
    </message>
    <message>
        <source>Compare a strategy of modelmon with one of them, and export it.</source>
        <translation>请用 modelmon 的策略与其中之一对比，然后导出它。</translation>
    </message>
    <message>
        <source>Compare again with a strategy of modelmon as one of the arms.</source>
        <translation>请用 modelmon 的策略作为其中一方重新对比。</translation>
    </message>
    <message>
        <source>Compare again with this version.</source>
        <translation>请用此版本重新对比。</translation>
    </message>
    <message>
        <source>Compare again.</source>
        <translation>请重新对比。</translation>
    </message>
    <message>
        <source>Compare anew.</source>
        <translation>请重新对比。</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connection timed out</source>
        <translation>连接超时</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Convert the model again.</source>
        <translation>请重新转换模型。</translation>
    </message>
    <message>
        <source>Copy the file whole before measuring the disk.</source>
        <translation>测量磁盘前，请先把文件完整地复制一份。</translation>
    </message>
    <message>
        <source>Copy, 1 thread</source>
        <translation>复制，1 个线程</translation>
    </message>
    <message>
        <source>Copy, {0:n} threads</source>
        <translation>复制，{0} 个线程</translation>
    </message>
    <message>
        <source>Create it first.</source>
        <translation>请先创建它。</translation>
    </message>
    <message>
        <source>Decoded to float32, kept</source>
        <translation>解码为 float32 并保留</translation>
    </message>
    <message>
        <source>Deliver streamed keeps nothing to return.</source>
        <translation>deliver 为 streamed 时不保留任何可返回的内容。</translation>
    </message>
    <message>
        <source>Deliver streamed or owned instead.</source>
        <translation>请改选 deliver 为 streamed 或 owned。</translation>
    </message>
    <message>
        <source>Deliver streamed or owned, or load the whole.</source>
        <translation>请选择 deliver 为 streamed 或 owned，或加载全部。</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>设备或资源忙</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices now, before any load</source>
        <translation>设备现状（加载之前）</translation>
    </message>
    <message>
        <source>Direct reads need descriptors of their own: the flag belongs to the open file.</source>
        <translation>直接读取需要各自的描述符：该标志属于打开的文件。</translation>
    </message>
    <message>
        <source>Direct reads pass by the page cache, so a warm-up is in vain.</source>
        <translation>直接读取绕过页缓存，所以预热没有作用。</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>Disk shared</source>
        <translation>磁盘共用</translation>
    </message>
    <message>
        <source>Disks that do not rotate want many large requests at once: eight readers past the cache, cached parts from it.</source>
        <translation>非旋转磁盘需要同时有许多大请求：八个读取器绕过缓存读取，已缓存部分取自缓存。</translation>
    </message>
    <message>
        <source>Download all files of the model again.</source>
        <translation>请重新下载模型的全部文件。</translation>
    </message>
    <message>
        <source>Download or convert the file again.</source>
        <translation>请重新下载或转换文件。</translation>
    </message>
    <message>
        <source>Download or convert the model as GGUF.</source>
        <translation>请下载 GGUF 格式的模型，或将其转换为 GGUF。</translation>
    </message>
    <message>
        <source>Download the file again.</source>
        <translation>请重新下载文件。</translation>
    </message>
    <message>
        <source>Download the index and all shards again.</source>
        <translation>请重新下载索引和全部分片。</translation>
    </message>
    <message>
        <source>Download the little-endian file, or convert it with gguf-convert-endian.</source>
        <translation>请下载小端序文件，或用 gguf-convert-endian 转换。</translation>
    </message>
    <message>
        <source>Download the model again; files of two models may be mixed.</source>
        <translation>请重新下载模型；可能混入了两个模型的文件。</translation>
    </message>
    <message>
        <source>Download the model's .safetensors files, or convert it to safetensors or GGUF.</source>
        <translation>请下载模型的 .safetensors 文件，或将其转换为 safetensors 或 GGUF。</translation>
    </message>
    <message>
        <source>Each page fault goes through another program here: large requests of several readers need fewer of them.</source>
        <translation>此处每次缺页都要经过另一个程序：多个读取器的大请求可减少次数。</translation>
    </message>
    <message>
        <source>Each small read at another place costs {0:n} here.</source>
        <translation>在此处，每次跳到别处的小读取要花费 {0}。</translation>
    </message>
    <message>
        <source>Each worker opens the file.</source>
        <translation>各进程自行打开文件。</translation>
    </message>
    <message>
        <source>Each worker opens the file. Wins over sharing.</source>
        <translation>各进程自行打开文件。优于共用描述符。</translation>
    </message>
    <message>
        <source>Else seat the drive anew, try another slot, and check the firmware's PCIe settings.</source>
        <translation>若仍如此，请重新插好硬盘，换一个插槽，并检查固件中的 PCIe 设置。</translation>
    </message>
    <message>
        <source>Empty that cache with --prepare; if the probe is wrong, take it again (doctor --probe).</source>
        <translation>用 --prepare 清空该缓存；若测速有误，请重新测速（doctor --probe）。</translation>
    </message>
    <message>
        <source>Empty the cache below this machine's own with --prepare, or measure warm starts.</source>
        <translation>请用 --prepare 清空本机之下的缓存，或测量热启动。</translation>
    </message>
    <message>
        <source>Empty the server's cache before each run with --prepare, if you can.</source>
        <translation>如有可能，请用 --prepare 在每次运行前清空服务器的缓存。</translation>
    </message>
    <message>
        <source>End it before measuring cold loads.</source>
        <translation>测量冷启动前请先结束它。</translation>
    </message>
    <message>
        <source>Expected {0} of length {1}</source>
        <translation>应为长度 {1} 的 {0}</translation>
    </message>
    <message>
        <source>Expected {0} of length {1} - at {2}</source>
        <translation>应为长度 {1} 的 {0}（位于 {2}）</translation>
    </message>
    <message>
        <source>Expected {0}, got {1}</source>
        <translation>应为 {0}，实为 {1}</translation>
    </message>
    <message>
        <source>Expected {0}, got {1} - at {2}</source>
        <translation>应为 {0}，实为 {1}（位于 {2}）</translation>
    </message>
    <message>
        <source>Experiment x{0:n} is no comparison that waits to be finished.</source>
        <translation>实验 x{0} 不是等待完成的对比。</translation>
    </message>
    <message>
        <source>Experiment x{0:n} is no race that waits to be finished.</source>
        <translation>实验 x{0} 不是待完成的寻找最佳。</translation>
    </message>
    <message>
        <source>Experiment x{0:n} was begun on another disk; its runs cannot be compared with new ones.</source>
        <translation>实验 x{0} 是在另一个磁盘上开始的；其运行不能与新的运行比较。</translation>
    </message>
    <message>
        <source>Experiment x{0:n} was begun on another machine; its runs cannot be compared with new ones.</source>
        <translation>实验 x{0} 是在另一台机器上开始的；其运行不能与新的运行比较。</translation>
    </message>
    <message>
        <source>Experiment x{0:n} was begun with another model in this place; its runs cannot be compared with new ones.</source>
        <translation>实验 x{0} 开始时此处是另一个模型；其运行不能与新的运行比较。</translation>
    </message>
    <message>
        <source>Experiment x{0} is no {1} that waits to be finished.</source>
        <translation>实验 x{0} 不是待完成的{1}。</translation>
    </message>
    <message>
        <source>Experiment x{0} was begun {1}; its runs cannot be compared with new ones.</source>
        <translation>实验 x{0} {1}开始；其运行无法与新的运行比较。</translation>
    </message>
    <message>
        <source>Export a comparison to get such a file.</source>
        <translation>导出一次对比即可得到这样的文件。</translation>
    </message>
    <message>
        <source>Export it again with this version.</source>
        <translation>请用此版本重新导出。</translation>
    </message>
    <message>
        <source>Export it again.</source>
        <translation>请重新导出。</translation>
    </message>
    <message>
        <source>Export the other arm, or compare again.</source>
        <translation>请导出另一方，或重新对比。</translation>
    </message>
    <message>
        <source>Fetch the real file: run `git lfs pull` in its folder.</source>
        <translation>请获取真实文件：在其文件夹中运行 `git lfs pull`。</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>File too large</source>
        <translation>文件过大</translation>
    </message>
    <message>
        <source>Fill the page cache ahead of the start, where the time for it is free.</source>
        <translation>在启动之前有空闲时间时，先填充页缓存。</translation>
    </message>
    <message>
        <source>Find it with iotop or pidstat -d 1, and wait or end it before measuring.</source>
        <translation>用 iotop 或 pidstat -d 1 找出它，等它结束或先终止它再测量。</translation>
    </message>
    <message>
        <source>Finish or repeat the download.</source>
        <translation>请完成或重新下载。</translation>
    </message>
    <message>
        <source>Finish the download, or move all files of the model into one folder.</source>
        <translation>请完成下载，或把模型的全部文件移到同一个文件夹。</translation>
    </message>
    <message>
        <source>For cold starts try --strategy parallel, or direct, which leaves nothing cached.</source>
        <translation>冷启动请试试 --strategy parallel，或不留缓存的 direct。</translation>
    </message>
    <message>
        <source>Free memory or raise the limit, load a portion, or map the model (access mmap).</source>
        <translation>请释放内存或提高限制，部分加载，或映射模型（access mmap）。</translation>
    </message>
    <message>
        <source>Free memory was not touched before; on a virtual machine it may be slow.</source>
        <translation>未预先触碰空闲内存；在虚拟机上它可能很慢。</translation>
    </message>
    <message>
        <source>Free memory was slow to touch, as the host had taken it back; it was touched before.</source>
        <translation>空闲内存触碰缓慢，因为宿主机已将其收回；已预先触碰。</translation>
    </message>
    <message>
        <source>Free memory, so that the file fits into the cache.</source>
        <translation>请释放内存，使文件能放入缓存。</translation>
    </message>
    <message>
        <source>Free some.</source>
        <translation>请释放一些内存。</translation>
    </message>
    <message>
        <source>Free space</source>
        <translation>可用空间</translation>
    </message>
    <message>
        <source>Free space on that disk.</source>
        <translation>请释放该磁盘的空间。</translation>
    </message>
    <message>
        <source>Free space there, or choose another folder with MODELMON_DATA_DIR.</source>
        <translation>请释放那里的空间，或用 MODELMON_DATA_DIR 选择其他文件夹。</translation>
    </message>
    <message>
        <source>Front to back</source>
        <translation>从头到尾</translation>
    </message>
    <message>
        <source>Function not implemented</source>
        <translation>功能未实现</translation>
    </message>
    <message>
        <source>Give it more: a whole race takes about {0}.</source>
        <translation>请增加预算：一次完整的寻找最佳约需 {0}。</translation>
    </message>
    <message>
        <source>Give the files their names back, such as model-00001-of-00003.gguf.</source>
        <translation>请恢复文件原来的名称，例如 model-00001-of-00003.gguf。</translation>
    </message>
    <message>
        <source>Go on in the terminal, with the same --prepare beside --resume.</source>
        <translation>请在终端中继续，在 --resume 旁使用相同的 --prepare。</translation>
    </message>
    <message>
        <source>Governor</source>
        <translation>调速器</translation>
    </message>
    <message>
        <source>Half the page cache for the same file, and one copy less.</source>
        <translation>同一文件只占一半页缓存，并少一次复制。</translation>
    </message>
    <message>
        <source>Have 1.5 times the model available, or load it mapped (usable, not owned).</source>
        <translation>请留出模型 1.5 倍的可用内存，或以映射方式加载（usable，而非 owned）。</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Holes load at the speed of memory.</source>
        <translation>空洞以内存的速度加载。</translation>
    </message>
    <message>
        <source>Huge pages</source>
        <translation>大页</translation>
    </message>
    <message>
        <source>IO-wait</source>
        <translation>I/O 等待</translation>
    </message>
    <message>
        <source>IO-wait {0:n}</source>
        <translation>I/O 等待 {0}</translation>
    </message>
    <message>
        <source>If nobody stopped it by hand, memory ran out: free some, or load a portion.</source>
        <translation>若不是有人手动终止，就是内存耗尽：请释放内存，或部分加载。</translation>
    </message>
    <message>
        <source>If programs are slow, close some before loading.</source>
        <translation>若程序变慢，请在加载前关闭一些。</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>映像</translation>
    </message>
    <message>
        <source>Input data was truncated</source>
        <translation>输入数据被截断</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>Install the same modelmon version on both sides.</source>
        <translation>请在两端安装相同版本的 modelmon。</translation>
    </message>
    <message>
        <source>Install the version that wrote the recording.</source>
        <translation>请安装写入该记录的版本。</translation>
    </message>
    <message>
        <source>Invalid argument</source>
        <translation>参数无效</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>是一个目录</translation>
    </message>
    <message>
        <source>It converts what it loads, or mixes tensors up: it cannot be compared.</source>
        <translation>它转换了所加载的内容，或弄混了张量：无法比较。</translation>
    </message>
    <message>
        <source>It decodes {0} of the time, {1} for each core.</source>
        <translation>它有 {0} 的时间在解码，每核 {1}。</translation>
    </message>
    <message>
        <source>It fetches {0} times the files' bytes and waits for them {1} of the time.</source>
        <translation>它读取了文件大小 {0} 倍的数据，并有 {1} 的时间在等待它们。</translation>
    </message>
    <message>
        <source>It fetches {0} times the files' bytes by {1} ranks and waits for them {2} of the time.</source>
        <translation>它由 {1} 个并行秩读取了文件大小 {0} 倍的数据，并有 {2} 的时间在等待它们。</translation>
    </message>
    <message>
        <source>It holds the least memory of those within {0} times the fastest; mapped pages of the file, which the system can take back, are not counted.</source>
        <translation>在用时不超过最快者 {0} 倍的策略中，它占用的内存最少；系统可以回收的文件映射页不计在内。</translation>
    </message>
    <message>
        <source>It holds {0:n} that the system cannot take back; {1} holds {2:n} and takes {3:n} times as long.</source>
        <translation>它占用 {0} 系统无法回收的内存；{1} 占用 {2}，用时为 {3} 倍。</translation>
    </message>
    <message>
        <source>It is a multiple of 4096.</source>
        <translation>它须是 4096 的倍数。</translation>
    </message>
    <message>
        <source>It is a name.</source>
        <translation>它须是名称。</translation>
    </message>
    <message>
        <source>It is a tuple of patterns of names.</source>
        <translation>它须是名称模式的元组。</translation>
    </message>
    <message>
        <source>It is a whole number.</source>
        <translation>它须是整数。</translation>
    </message>
    <message>
        <source>It is busy in the kernel with copies ({0} of a core).</source>
        <translation>它忙于内核中的内存复制（占一个核的 {0}）。</translation>
    </message>
    <message>
        <source>It is busy in the kernel with page faults ({0} of a core).</source>
        <translation>它忙于内核中的缺页处理（占一个核的 {0}）。</translation>
    </message>
    <message>
        <source>It is one of: {0}.</source>
        <translation>可选值：{0}。</translation>
    </message>
    <message>
        <source>It is served from the page cache at {0}: nothing to gain.</source>
        <translation>它由页缓存以 {0} 供给：没有可提升的空间。</translation>
    </message>
    <message>
        <source>It is served from the page cache at {0}; a faster disk would change nothing.</source>
        <translation>它由页缓存以 {0} 供给；换更快的磁盘也不会改变什么。</translation>
    </message>
    <message>
        <source>It is the known bad case, raced only by name.</source>
        <translation>这是已知的坏例子，只在点名时参与。</translation>
    </message>
    <message>
        <source>It is {0} times as fast as {1}, the fastest of the simpler ones ({2}).</source>
        <translation>它的速度是 {1}（更简单的策略中最快者）的 {0} 倍（{2}）。</translation>
    </message>
    <message>
        <source>It is {0} times as fast as {1}, the usual way ({2}).</source>
        <translation>它的速度是 {1}（通常的方式）的 {0} 倍（{2}）。</translation>
    </message>
    <message>
        <source>It leaves {0} of the file in the page cache, so the next start has to fetch it again.</source>
        <translation>它在页缓存中只留下文件的 {0}，所以下次启动必须重新读取。</translation>
    </message>
    <message>
        <source>It leaves {0} of the file in the page cache, so the next start has to fetch it again; {1} leaves it there and then starts in {2}.</source>
        <translation>它在页缓存中只留下文件的 {0}，所以下次启动必须重新读取；{1} 会把文件留在那里，之后启动只需 {2}。</translation>
    </message>
    <message>
        <source>It loads complete models of the architectures that it knows.</source>
        <translation>它只能加载它所支持架构的完整模型。</translation>
    </message>
    <message>
        <source>It makes the machine swap {0}.</source>
        <translation>它使系统换页 {0}。</translation>
    </message>
    <message>
        <source>It may be as fast, or faster: too few runs to tell.</source>
        <translation>它可能一样快，或更快：运行次数太少，无法判断。</translation>
    </message>
    <message>
        <source>It may be as fast: the race saw no difference beyond the noise.</source>
        <translation>它可能一样快：没有测出超出噪声的差异。</translation>
    </message>
    <message>
        <source>It reads {0} again that memory had no room to keep.</source>
        <translation>它因内存放不下而重读了 {0}。</translation>
    </message>
    <message>
        <source>It spends {0} µs on each of {1} tensors.</source>
        <translation>它在 {1} 个张量上各花 {0} µs。</translation>
    </message>
    <message>
        <source>It takes at least {0}; choose a larger size or fewer layers.</source>
        <translation>至少需要 {0}；请选择更大的大小或更少的层数。</translation>
    </message>
    <message>
        <source>It took {0:n}.</source>
        <translation>它用时 {0}。</translation>
    </message>
    <message>
        <source>It took {0:n}; what for is not to be seen here.</source>
        <translation>它用时 {0}；时间花在哪里，这里看不到。</translation>
    </message>
    <message>
        <source>It waits for answers {0} of the time: it asks in random order.</source>
        <translation>它有 {0} 的时间在等待应答：请求的顺序是随机的。</translation>
    </message>
    <message>
        <source>It waits for answers {0} of the time: it gets {1} of what the device can.</source>
        <translation>它有 {0} 的时间在等待应答：只得到设备能力的 {1}。</translation>
    </message>
    <message>
        <source>It waits for answers {0} of the time: the device is asked for {1} at a time.</source>
        <translation>它有 {0} 的时间在等待应答：每次只向设备请求 {1}。</translation>
    </message>
    <message>
        <source>It waits for free memory {0} of the time.</source>
        <translation>它有 {0} 的时间在等待空闲内存。</translation>
    </message>
    <message>
        <source>It waits for {0} only {1:n} of the time.</source>
        <translation>它只有 {1} 的时间在等待{0}。</translation>
    </message>
    <message>
        <source>It waits for {0} {1:n} of the time and gets {2}, while the device itself rests: something in between holds requests back.</source>
        <translation>它有 {1} 的时间在等待{0}，只得到 {2}，而设备本身却空闲：中间有东西拦住了请求。</translation>
    </message>
    <message>
        <source>It waits for {0} {1:n} of the time, for its bandwidth or for its answers.</source>
        <translation>它有 {1} 的时间在等待{0}，等的是带宽或应答。</translation>
    </message>
    <message>
        <source>It waits for {0} {1:n} of the time, which delivers {2}.</source>
        <translation>它有 {1} 的时间在等待{0}，其速率为 {2}。</translation>
    </message>
    <message>
        <source>It was not seen.</source>
        <translation>未能观察到。</translation>
    </message>
    <message>
        <source>It was taken from bytes read.</source>
        <translation>它由读取的字节数推断。</translation>
    </message>
    <message>
        <source>It was {0} times as fast as {1}, the fastest of the simpler ones ({2}).</source>
        <translation>测得其速度是 {1}（更简单的策略中最快者）的 {0} 倍（{2}）。</translation>
    </message>
    <message>
        <source>It was {0} times as fast as {1}, the usual way ({2}).</source>
        <translation>测得其速度是 {1}（通常的方式）的 {0} 倍（{2}）。</translation>
    </message>
    <message>
        <source>Its last words: {0}</source>
        <translation>其最后输出：{0}</translation>
    </message>
    <message>
        <source>Its result is not affected.</source>
        <translation>其结果不受影响。</translation>
    </message>
    <message>
        <source>JSON is malformed: {0} (byte {1:n})</source>
        <translation>JSON 格式错误：{0}（第 {1} 字节）</translation>
    </message>
    <message>
        <source>Keep another one with MODELMON_DATA_DIR.</source>
        <translation>请用 MODELMON_DATA_DIR 另存一份。</translation>
    </message>
    <message>
        <source>Keep one of the two in the folder.</source>
        <translation>请在文件夹中只保留其中一种。</translation>
    </message>
    <message>
        <source>LUKS, decrypted by the CPU</source>
        <translation>LUKS，由 CPU 解密</translation>
    </message>
    <message>
        <source>LUKS, decrypted by the CPU {0}</source>
        <translation>LUKS，由 CPU 解密 {0}</translation>
    </message>
    <message>
        <source>LVM volume</source>
        <translation>LVM 卷</translation>
    </message>
    <message>
        <source>LVM volume {0}</source>
        <translation>LVM 卷 {0}</translation>
    </message>
    <message>
        <source>Larger requests: fewer round trips.</source>
        <translation>请求更大，往返次数更少。</translation>
    </message>
    <message>
        <source>Larger requests: fewer waits for each of them.</source>
        <translation>请求更大，等待次数更少。</translation>
    </message>
    <message>
        <source>Leave memory conditioning on, and do not take --fresh-memory for comparisons.</source>
        <translation>请保持内存预处理开启，对比时不要使用 --fresh-memory。</translation>
    </message>
    <message>
        <source>Left in the cache</source>
        <translation>留在缓存中</translation>
    </message>
    <message>
        <source>Let every reader open the file itself (parallel, processes) and never share one descriptor (shared-fd).</source>
        <translation>让每个读取器自己打开文件（parallel、processes），绝不要共用一个描述符（shared-fd）。</translation>
    </message>
    <message>
        <source>Let it cool, and see to its fan, before measuring.</source>
        <translation>测量前请让它冷却，并检查风扇。</translation>
    </message>
    <message>
        <source>Let it finish, or stop it.</source>
        <translation>请等它完成，或停止它。</translation>
    </message>
    <message>
        <source>Let the machine cool down, or raise its CPU limit.</source>
        <translation>请让机器冷却，或提高其 CPU 限制。</translation>
    </message>
    <message>
        <source>Let the race run longer.</source>
        <translation>请让寻找最佳进行得更久。</translation>
    </message>
    <message>
        <source>Let the writer finish, then run again.</source>
        <translation>请等写入完成，然后重新运行。</translation>
    </message>
    <message>
        <source>Load a part that stands for the whole (--portion {0}), let it pass through a small buffer (deliver streamed), map it (access mmap), or free memory.</source>
        <translation>可加载能代表整体的一部分（--portion {0}）、让数据经过小缓冲区（deliver streamed）、映射（access mmap），或释放内存。</translation>
    </message>
    <message>
        <source>Load it with {0}: {1} for a first start, holding {2}.</source>
        <translation>用 {0} 加载：首次启动 {1}，占用 {2}。</translation>
    </message>
    <message>
        <source>Load it with {0}: {1} for a first start.</source>
        <translation>用 {0} 加载：首次启动 {1}。</translation>
    </message>
    <message>
        <source>Load it with {0}: {1} for a restart, holding {2}.</source>
        <translation>用 {0} 加载：再次启动 {1}，占用 {2}。</translation>
    </message>
    <message>
        <source>Load it with {0}: {1} for a restart.</source>
        <translation>用 {0} 加载：再次启动 {1}。</translation>
    </message>
    <message>
        <source>Load that rank alone (ranks 1), or all of them without choosing one.</source>
        <translation>请单独加载该并行秩（ranks 1），或不选择而加载全部。</translation>
    </message>
    <message>
        <source>Load the whole model, or choose another strategy for a part of it.</source>
        <translation>请加载整个模型，或为部分加载选择其他策略。</translation>
    </message>
    <message>
        <source>Load with several readers: {0}</source>
        <translation>用多个读取器加载：{0}</translation>
    </message>
    <message>
        <source>Loads that keep their memory, or map the file, start faster than those that copy.</source>
        <translation>保留内存或映射文件的加载比复制的加载启动更快。</translation>
    </message>
    <message>
        <source>Look again during a load, for some links slow down when idle.</source>
        <translation>加载时再看一次，因为有些链路空闲时会降速。</translation>
    </message>
    <message>
        <source>Look for an I/O limit of the container, the service or the volume, and for encryption.</source>
        <translation>检查容器、服务或卷是否有 I/O 限制，以及是否加密。</translation>
    </message>
    <message>
        <source>Made for GPUs.</source>
        <translation>为 GPU 而设计。</translation>
    </message>
    <message>
        <source>Make it first.</source>
        <translation>请先创建它。</translation>
    </message>
    <message>
        <source>Mapped</source>
        <translation>映射</translation>
    </message>
    <message>
        <source>Mapped memory copies nothing; else more readers help where cores are free.</source>
        <translation>映射内存无需复制；否则在有空闲核时增加读取器会有帮助。</translation>
    </message>
    <message>
        <source>Mapped pages are the page cache's own: huge pages are chosen for private memory only.</source>
        <translation>映射页属于页缓存：大页只能用于私有内存。</translation>
    </message>
    <message>
        <source>Mapped pages cost a round trip each time readahead ends.</source>
        <translation>每当预读结束，映射的页都要花费一次往返。</translation>
    </message>
    <message>
        <source>Measure as the file's owner, or with a copy of your own.</source>
        <translation>请以文件所有者的身份测量，或使用自己的副本。</translation>
    </message>
    <message>
        <source>Measure the disk again while nothing else uses it; in the terminal: modelmon doctor --probe.</source>
        <translation>请在没有其他程序使用磁盘时重新测速；在终端中：modelmon doctor --probe。</translation>
    </message>
    <message>
        <source>Measure the disk to know what it can; in the terminal: modelmon doctor --probe.</source>
        <translation>请进行磁盘测速以了解其能力；在终端中：modelmon doctor --probe。</translation>
    </message>
    <message>
        <source>Measure: {0}.</source>
        <translation>请测量：{0}。</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Measuring would slow it down and be slowed by it.</source>
        <translation>测量会拖慢它，也会被它拖慢。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory copy</source>
        <translation>内存复制</translation>
    </message>
    <message>
        <source>Memory that is used for the first time is filled slowly here.</source>
        <translation>在此处，首次使用的内存填充得很慢。</translation>
    </message>
    <message>
        <source>Memory was short during the load.</source>
        <translation>加载期间内存不足。</translation>
    </message>
    <message>
        <source>Memory was swapped during the load, so this run is not counted.</source>
        <translation>加载期间使用了交换空间，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>型号</translation>
    </message>
    <message>
        <source>More readers decode on more cores; or choose a type that needs no decoding.</source>
        <translation>增加读取器可用更多核解码；或选择无需解码的类型。</translation>
    </message>
    <message>
        <source>More readers or direct reads may get some more.</source>
        <translation>更多读取器或直接读取也许能再快一些。</translation>
    </message>
    <message>
        <source>More readers, if cores are free.</source>
        <translation>如有空闲的核，可增加读取器。</translation>
    </message>
    <message>
        <source>Mount</source>
        <translation>挂载</translation>
    </message>
    <message>
        <source>Mount it with {0}, if the other side allows it.</source>
        <translation>若对端允许，请用 {0} 挂载。</translation>
    </message>
    <message>
        <source>Mount it without direct_io.</source>
        <translation>请不带 direct_io 挂载。</translation>
    </message>
    <message>
        <source>Move it away: modelmon begins a history there.</source>
        <translation>请将其移走：modelmon 会在那里新建一个历史。</translation>
    </message>
    <message>
        <source>Move it away: modelmon begins a new one.</source>
        <translation>请将它移走：modelmon 会新建一份。</translation>
    </message>
    <message>
        <source>Move the model into the Linux filesystem (below /home), or load it without mmap.</source>
        <translation>把模型移到 Linux 文件系统中（/home 之下），或不用 mmap 加载。</translation>
    </message>
    <message>
        <source>Move the model to an NVMe drive: {0}.</source>
        <translation>把模型移到 NVMe 硬盘：{0}。</translation>
    </message>
    <message>
        <source>Move the model to {0}, which lies on a faster disk ({1}).</source>
        <translation>把模型移到 {0}，它位于更快的磁盘上（{1}）。</translation>
    </message>
    <message>
        <source>NVMe class</source>
        <translation>NVMe 级</translation>
    </message>
    <message>
        <source>NVMe class ({0})</source>
        <translation>NVMe 级（{0}）</translation>
    </message>
    <message>
        <source>Name a file to probe.</source>
        <translation>请指定一个要测速的文件。</translation>
    </message>
    <message>
        <source>Nearest: {0}.</source>
        <translation>最接近的：{0}。</translation>
    </message>
    <message>
        <source>Needs no torch.</source>
        <translation>不需要 torch。</translation>
    </message>
    <message>
        <source>Neither keeps what it loaded.</source>
        <translation>两者都不保留所加载的内容。</translation>
    </message>
    <message>
        <source>No comparison waits to be finished.</source>
        <translation>没有等待完成的对比。</translation>
    </message>
    <message>
        <source>No difference larger than {0} ({1}).</source>
        <translation>差异不超过 {0}（{1}）。</translation>
    </message>
    <message>
        <source>No other process is seen to use the file.</source>
        <translation>未发现其他进程在使用该文件。</translation>
    </message>
    <message>
        <source>No pair of runs can be counted.</source>
        <translation>没有可以计入的运行配对。</translation>
    </message>
    <message>
        <source>No race waits to be finished.</source>
        <translation>没有待完成的寻找最佳。</translation>
    </message>
    <message>
        <source>No run of A can be counted.</source>
        <translation>A 没有可以计入的运行。</translation>
    </message>
    <message>
        <source>No run of B can be counted.</source>
        <translation>B 没有可以计入的运行。</translation>
    </message>
    <message>
        <source>No run of the race can be counted.</source>
        <translation>寻找最佳中没有可以计入的运行。</translation>
    </message>
    <message>
        <source>No simpler one was measured.</source>
        <translation>没有测量更简单的策略。</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>设备空间不足</translation>
    </message>
    <message>
        <source>No such device</source>
        <translation>没有该设备</translation>
    </message>
    <message>
        <source>No such device or address</source>
        <translation>没有该设备或地址</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有该文件或目录</translation>
    </message>
    <message>
        <source>No way to load this model can run here.</source>
        <translation>这里没有能加载此模型的方式。</translation>
    </message>
    <message>
        <source>No {0} waits to be finished.</source>
        <translation>没有待完成的{0}。</translation>
    </message>
    <message>
        <source>Nobody reads the probe's lines any more.</source>
        <translation>已无人读取磁盘测速的输出。</translation>
    </message>
    <message>
        <source>Nobody reads the worker's events any more.</source>
        <translation>已无人读取工作进程的事件。</translation>
    </message>
    <message>
        <source>None of the ways that were measured loads within one process with modelmon.</source>
        <translation>测量过的方式中，没有一种用 modelmon 在单个进程内加载。</translation>
    </message>
    <message>
        <source>None of the {0:n} others was faster in the same rounds.</source>
        <translation>其他 {0} 个在相同轮次中都没有更快。</translation>
    </message>
    <message>
        <source>None of the {0:n} others was faster.</source>
        <translation>其他 {0} 个都没有更快。</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是目录</translation>
    </message>
    <message>
        <source>Nothing was cached here, yet next to nothing came from storage: some other cache had the bytes, so this run is not counted.</source>
        <translation>本机没有缓存，但几乎没有数据来自存储：它们在别的缓存中，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>Nothing was touched: the library returned before its bytes were in memory, so this time says nothing about loading and is not counted.</source>
        <translation>没有触碰任何数据：库在数据进入内存之前就返回了，因此该时间不能说明加载情况，不计入。</translation>
    </message>
    <message>
        <source>Nothing was touched: the library says that its bytes were in private memory when it returned, but nobody looked, so this time is not counted.</source>
        <translation>没有触碰任何数据：库声称返回时数据已在私有内存中，但无人核实，因此该时间不计入。</translation>
    </message>
    <message>
        <source>Now the file is cached: choose Warm to compare it so.</source>
        <translation>文件现在已缓存：若要这样对比，请选择热启动。</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Object missing required field {0}</source>
        <translation>对象缺少必需的字段 {0}</translation>
    </message>
    <message>
        <source>Object missing required field {0} - at {1}</source>
        <translation>对象缺少必需的字段 {0}（位于 {1}）</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>On the disk</source>
        <translation>磁盘上</translation>
    </message>
    <message>
        <source>One rank's part cannot be sliced for several ranks again.</source>
        <translation>单个并行秩的部分不能再切给多个并行秩。</translation>
    </message>
    <message>
        <source>One reader through the page cache is {0:n} slower than past it.</source>
        <translation>一个读取器经过页缓存比绕过它慢 {0}。</translation>
    </message>
    <message>
        <source>One reader, front to back.</source>
        <translation>单个读取器，从头到尾。</translation>
    </message>
    <message>
        <source>One reader, front to back. Wins on hard disks.</source>
        <translation>单个读取器，从头到尾。机械硬盘上最佳。</translation>
    </message>
    <message>
        <source>Only a faster disk, fewer bytes (another quantisation) or a warm cache help.</source>
        <translation>只有更快的磁盘、更少的字节（换一种量化）或热缓存才有帮助。</translation>
    </message>
    <message>
        <source>Only a library can be measured untouched: nothing else stops there.</source>
        <translation>只有库可以按 untouched 测量：其他方式都不会停在那一步。</translation>
    </message>
    <message>
        <source>Only {0} of {1} were loaded; times for the whole model are extrapolated.</source>
        <translation>只加载了 {1} 中的 {0}；整个模型的时间是推算的。</translation>
    </message>
    <message>
        <source>Open a .jsonl file that modelmon run --record has written.</source>
        <translation>请打开由 modelmon run --record 写入的 .jsonl 文件。</translation>
    </message>
    <message>
        <source>Open one of them.</source>
        <translation>请打开其中之一。</translation>
    </message>
    <message>
        <source>Open one of these files instead of the folder.</source>
        <translation>请打开其中一个文件，而不是文件夹。</translation>
    </message>
    <message>
        <source>Open the model again.</source>
        <translation>请重新打开模型。</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>操作不允许</translation>
    </message>
    <message>
        <source>Operation not supported</source>
        <translation>不支持该操作</translation>
    </message>
    <message>
        <source>Option</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Or mount it with --vfs-cache-mode full.</source>
        <translation>或用 --vfs-cache-mode full 挂载。</translation>
    </message>
    <message>
        <source>Others used the disk during the probe: a load of {0:n} may be faster than {1}.</source>
        <translation>磁盘测速期间有其他程序使用磁盘：加载 {0} 可能快于：{1}。</translation>
    </message>
    <message>
        <source>Outliers, counted all the same: {0}.</source>
        <translation>离群值（仍然计入）：{0}。</translation>
    </message>
    <message>
        <source>Part of it is what lies around a portion; load the whole model to be sure.</source>
        <translation>其中一部分来自部分加载区域的周边；要确定，请加载整个模型。</translation>
    </message>
    <message>
        <source>Past the cache.</source>
        <translation>绕过缓存。</translation>
    </message>
    <message>
        <source>Past the cache. Wins when nothing is cached.</source>
        <translation>绕过缓存。完全未缓存时最佳。</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>权限不足</translation>
    </message>
    <message>
        <source>Plug the machine in.</source>
        <translation>请接通电源。</translation>
    </message>
    <message>
        <source>Populate fills a mapping, and access {0} has none.</source>
        <translation>populate 用于填充映射，而访问方式 {0} 没有映射。</translation>
    </message>
    <message>
        <source>Populate maps for one process; the others would find nothing mapped.</source>
        <translation>populate 只为一个进程映射；其他进程得不到映射。</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>磁盘测速</translation>
    </message>
    <message>
        <source>Process {0:n} is still at experiment x{1:n}.</source>
        <translation>进程 {0} 仍在进行实验 x{1}。</translation>
    </message>
    <message>
        <source>Process {0} is still at experiment x{1}.</source>
        <translation>进程 {0} 仍在进行实验 x{1}。</translation>
    </message>
    <message>
        <source>Processors</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Put models on a volume: then modelmon sees the disk.</source>
        <translation>把模型放到卷上，modelmon 就能看到磁盘。</translation>
    </message>
    <message>
        <source>Python cannot read past the file cache on Windows.</source>
        <translation>在 Windows 上 Python 无法绕过文件缓存读取。</translation>
    </message>
    <message>
        <source>Quantise the weights to 8 bits (Q8_0), if the loss of accuracy is acceptable and what loads the model reads GGUF.</source>
        <translation>若可以接受精度损失，且加载模型的程序能读取 GGUF，把权重量化为 8 位（Q8_0）。</translation>
    </message>
    <message>
        <source>Quantise the weights to 8 bits (Q8_0), if the loss of accuracy is acceptable.</source>
        <translation>若可以接受精度损失，把权重量化为 8 位（Q8_0）。</translation>
    </message>
    <message>
        <source>Quicker page faults and copies; nothing where the disk is the limit.</source>
        <translation>缺页和复制更快；若瓶颈在磁盘则无效果。</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>物理内存</translation>
    </message>
    <message>
        <source>Race again with this version.</source>
        <translation>请用此版本重新运行寻优。</translation>
    </message>
    <message>
        <source>Race anew.</source>
        <translation>请重新寻找最佳。</translation>
    </message>
    <message>
        <source>Raise --hz, or load a larger model for curves.</source>
        <translation>若需曲线，请提高 --hz，或加载更大的模型。</translation>
    </message>
    <message>
        <source>Raise the container's CPU limit.</source>
        <translation>请提高容器的 CPU 限制。</translation>
    </message>
    <message>
        <source>Random {0:n}</source>
        <translation>随机 {0}</translation>
    </message>
    <message>
        <source>Ranks count from 0: of {0:n}, choose {1:n} to {2:n}.</source>
        <translation>并行秩从 0 计数：共 {0} 个，请在 {1} 到 {2} 之间选择。</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Read in file order with larger requests, or past the page cache.</source>
        <translation>按文件顺序以更大的请求读取，或绕过页缓存。</translation>
    </message>
    <message>
        <source>Read in large requests in the file's order (sequential, parallel), not page by page.</source>
        <translation>按文件顺序用大请求读取（sequential、parallel），不要逐页读取。</translation>
    </message>
    <message>
        <source>Read into huge pages instead of mapping, or use more readers on more cores.</source>
        <translation>改用读入大页而不是映射，或在更多核上使用更多读取器。</translation>
    </message>
    <message>
        <source>Read the events faster, or lower --hz.</source>
        <translation>请更快地读取事件，或降低 --hz。</translation>
    </message>
    <message>
        <source>Read the file in large pieces and take the tensors as views of them.</source>
        <translation>以大块读取文件，再把张量作为其中的视图。</translation>
    </message>
    <message>
        <source>Read the files once and share them, or slice them by rank.</source>
        <translation>只读一次文件并共享，或按并行秩切片。</translation>
    </message>
    <message>
        <source>Read through the page cache: what lies between the ranks' rows then comes once.</source>
        <translation>经由页缓存读取：各并行秩的行之间的数据便只读一次。</translation>
    </message>
    <message>
        <source>Read with one reader front to back (sequential), or move the model to an SSD.</source>
        <translation>用一个读取器从头到尾读取（sequential），或把模型移到 SSD 上。</translation>
    </message>
    <message>
        <source>Read with one reader front to back (sequential).</source>
        <translation>用一个读取器从头到尾读取（sequential）。</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>只读文件系统</translation>
    </message>
    <message>
        <source>Readahead</source>
        <translation>预读</translation>
    </message>
    <message>
        <source>Readers that are not stopped in between.</source>
        <translation>读取器中途不再被暂停。</translation>
    </message>
    <message>
        <source>Reading {0} ahead would take more than a quarter of the memory that is free ({1}): what was read would be dropped before it is used.</source>
        <translation>预读 {0} 会占用空闲内存（{1}）的四分之一以上：读入的内容在使用前就会被丢弃。</translation>
    </message>
    <message>
        <source>Reads ahead of the map.</source>
        <translation>在映射之前预读。</translation>
    </message>
    <message>
        <source>Reads ahead of the map. Wins on slow networks.</source>
        <translation>在映射之前预读。慢速网络上最佳。</translation>
    </message>
    <message>
        <source>Reads into private memory.</source>
        <translation>读入私有内存。</translation>
    </message>
    <message>
        <source>Reads into private memory. Wins where maps are slow.</source>
        <translation>读入私有内存。映射慢时最佳。</translation>
    </message>
    <message>
        <source>Reads, then maps.</source>
        <translation>先读取再映射。</translation>
    </message>
    <message>
        <source>Reads, then maps. Wins where faults are slow.</source>
        <translation>先读取再映射。缺页慢时最佳。</translation>
    </message>
    <message>
        <source>Rename the file or folder, then open it.</source>
        <translation>请重命名文件或文件夹，然后再打开。</translation>
    </message>
    <message>
        <source>Room for a copy, and the file stays in the page cache for the next start.</source>
        <translation>有空间放一份副本，而且文件会留在页缓存中供下次启动使用。</translation>
    </message>
    <message>
        <source>Row {0:n} of the history cannot be understood: {1}.</source>
        <translation>无法理解历史的第 {0} 行：{1}。</translation>
    </message>
    <message>
        <source>Row {0} of the history cannot be understood: {1}.</source>
        <translation>无法理解历史的第 {0} 行：{1}。</translation>
    </message>
    <message>
        <source>Rule of thumb</source>
        <translation>经验法则</translation>
    </message>
    <message>
        <source>Run again while the machine stays awake.</source>
        <translation>请在机器不休眠时重新运行。</translation>
    </message>
    <message>
        <source>Run again; the log tells more.</source>
        <translation>请重新运行；日志中有更多信息。</translation>
    </message>
    <message>
        <source>Run as the file's owner to have the cache verified.</source>
        <translation>请以文件所有者的身份运行，以便验证缓存。</translation>
    </message>
    <message>
        <source>Runs of experiment x{0:n} were deleted.</source>
        <translation>实验 x{0} 的运行已被删除。</translation>
    </message>
    <message>
        <source>Runs of experiment x{0} were deleted.</source>
        <translation>实验 x{0} 的运行已被删除。</translation>
    </message>
    <message>
        <source>SATA class</source>
        <translation>SATA 级</translation>
    </message>
    <message>
        <source>SATA class: flash, or a disk that is capped</source>
        <translation>SATA 级：闪存，或被限速的磁盘</translation>
    </message>
    <message>
        <source>SATA class: flash, or a disk that is capped ({0})</source>
        <translation>SATA 级：闪存，或被限速的磁盘（{0}）</translation>
    </message>
    <message>
        <source>Save one with modelmon compare --out.</source>
        <translation>用 modelmon compare --out 保存一个。</translation>
    </message>
    <message>
        <source>See modelmon doctor.</source>
        <translation>参见 modelmon doctor。</translation>
    </message>
    <message>
        <source>See modelmon history.</source>
        <translation>请查看 modelmon history。</translation>
    </message>
    <message>
        <source>Served by</source>
        <translation>提供程序</translation>
    </message>
    <message>
        <source>Set the limit to 1.5 times the model or more.</source>
        <translation>请把限制设为模型大小的 1.5 倍或更多。</translation>
    </message>
    <message>
        <source>Several readers brought nothing here when it was probed: one that reads ahead of the map keeps the link busy.</source>
        <translation>磁盘测速时多个读取器在此没有收益：一个在映射前方预读的读取器就能让链路保持忙碌。</translation>
    </message>
    <message>
        <source>Several readers hide its round trips.</source>
        <translation>多个读取器可以掩盖它的往返时间。</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Slices cut through quantised rows, which are decoded whole.</source>
        <translation>切片会切开量化的行，而这些行必须整行解码。</translation>
    </message>
    <message>
        <source>Slices, as tensor-parallel model code takes them.</source>
        <translation>切片，与张量并行的模型代码相同。</translation>
    </message>
    <message>
        <source>Slow where vocabularies are large.</source>
        <translation>词表大时较慢。</translation>
    </message>
    <message>
        <source>Small file</source>
        <translation>小文件</translation>
    </message>
    <message>
        <source>So far nothing beats {0} beyond the noise: {1} for a first start, but too few runs to rank.</source>
        <translation>目前没有方式以超出噪声的幅度胜过 {0}：首次启动 {1}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>So far nothing beats {0} beyond the noise: {1} for a first start, holding {2}, but too few runs to rank.</source>
        <translation>目前没有方式以超出噪声的幅度胜过 {0}：首次启动 {1}，占用 {2}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>So far nothing beats {0} beyond the noise: {1} for a restart, but too few runs to rank.</source>
        <translation>目前没有方式以超出噪声的幅度胜过 {0}：再次启动 {1}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>So far nothing beats {0} beyond the noise: {1} for a restart, holding {2}, but too few runs to rank.</source>
        <translation>目前没有方式以超出噪声的幅度胜过 {0}：再次启动 {1}，占用 {2}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>So it was in {0:n} of {1:n} runs.</source>
        <translation>{1} 次运行中有 {0} 次如此。</translation>
    </message>
    <message>
        <source>Some memory is swapped out, which a load may push further.</source>
        <translation>部分内存已被换出，加载可能使更多内存被换出。</translation>
    </message>
    <message>
        <source>Somebody else read from the same device.</source>
        <translation>有其他程序读取了同一设备。</translation>
    </message>
    <message>
        <source>Somebody else used the same device.</source>
        <translation>有其他程序使用了同一设备。</translation>
    </message>
    <message>
        <source>Something else keeps {0} busy, which slows every load.</source>
        <translation>有其他程序占用 {0}，会拖慢每次加载。</translation>
    </message>
    <message>
        <source>Stale file handle</source>
        <translation>文件句柄已失效</translation>
    </message>
    <message>
        <source>Stalls (PSI)</source>
        <translation>停顿（PSI）</translation>
    </message>
    <message>
        <source>Starts after the first from the page cache.</source>
        <translation>首次之后可从页缓存启动。</translation>
    </message>
    <message>
        <source>Starts were cold here; what the server had in memory could not be seen.</source>
        <translation>在本机是冷启动；服务器内存中有什么则看不到。</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Taken</source>
        <translation>测量时间</translation>
    </message>
    <message>
        <source>Tensor by tensor, as most model code does.</source>
        <translation>逐个张量，与多数模型代码相同。</translation>
    </message>
    <message>
        <source>That is from a filled cache: a first start takes {0}.</source>
        <translation>这是缓存已填充时的结果：首次启动需 {0}。</translation>
    </message>
    <message>
        <source>The budget of {0} was spent before a run had ended; one takes about {1}.</source>
        <translation>{0} 的时间预算在一次运行结束前就用完了；一次运行约需 {1}。</translation>
    </message>
    <message>
        <source>The bytes came faster than a drive can be: a cache below this machine's had them.</source>
        <translation>数据来得比任何硬盘都快：它们在本机之下的某个缓存中。</translation>
    </message>
    <message>
        <source>The bytes came faster than the probe found possible: it met a busy device, or a cache below this machine's.</source>
        <translation>数据来得比磁盘测速认为可能的还快：测速时设备正忙，或本机之下还有缓存。</translation>
    </message>
    <message>
        <source>The bytes came faster than this device delivers: a cache below this machine's had them.</source>
        <translation>数据来得比该设备能提供的还快：它们在本机之下的某个缓存中。</translation>
    </message>
    <message>
        <source>The cache was left as it was.</source>
        <translation>缓存保持原样。</translation>
    </message>
    <message>
        <source>The clock jumped during the load, as after sleep, so this run is not counted.</source>
        <translation>加载期间时钟跳变（如休眠之后），因此本次运行不计入。</translation>
    </message>
    <message>
        <source>The delivered bytes differ from the file's.</source>
        <translation>交付的字节与文件的不同。</translation>
    </message>
    <message>
        <source>The device's whole rate for the load.</source>
        <translation>设备的全部速率可用于加载。</translation>
    </message>
    <message>
        <source>The events of a run cannot be kept in {0}: {1}.</source>
        <translation>无法在 {0} 中保存运行的事件：{1}。</translation>
    </message>
    <message>
        <source>The events of run {0:n} are not kept any more.</source>
        <translation>运行 {0} 的事件已不再保留。</translation>
    </message>
    <message>
        <source>The events of run {0} are not kept any more.</source>
        <translation>运行 {0} 的事件已不再保留。</translation>
    </message>
    <message>
        <source>The events of this run are not of this version: {0}</source>
        <translation>本次运行的事件不属于此版本：{0}</translation>
    </message>
    <message>
        <source>The events of this run cannot be read from {0}: {1}.</source>
        <translation>无法从 {0} 读取本次运行的事件：{1}。</translation>
    </message>
    <message>
        <source>The file is cached, and the probe leaves that as it is.</source>
        <translation>文件已缓存，磁盘测速不改变这一状态。</translation>
    </message>
    <message>
        <source>The file is no model that modelmon loads, so nothing is said of what fits.</source>
        <translation>这个文件不是 modelmon 能加载的模型，因此不说明内存是否放得下。</translation>
    </message>
    <message>
        <source>The file lies in memory (tmpfs); nothing is past the cache</source>
        <translation>文件位于内存中（tmpfs）；缓存之外没有内容</translation>
    </message>
    <message>
        <source>The file lies in memory (tmpfs); nothing is past the cache.</source>
        <translation>文件位于内存中（tmpfs）；缓存之外没有内容。</translation>
    </message>
    <message>
        <source>The file lies in memory (tmpfs); there is no slower place to load it from.</source>
        <translation>文件位于内存中（tmpfs）；没有更慢的存储可供加载。</translation>
    </message>
    <message>
        <source>The file lies in memory already: mapping it at once saves a page fault for every page.</source>
        <translation>文件已在内存中：一次性映射可省去每页一次的缺页。</translation>
    </message>
    <message>
        <source>The file stays in the page cache for the next start.</source>
        <translation>文件会留在页缓存中供下次启动使用。</translation>
    </message>
    <message>
        <source>The file takes less space than it has bytes: it has holes or is compressed.</source>
        <translation>文件占用的空间少于其字节数：它有空洞或被压缩过。</translation>
    </message>
    <message>
        <source>The file was cut or its storage failed: check it and open the model again.</source>
        <translation>文件被截断或存储出错：请检查并重新打开模型。</translation>
    </message>
    <message>
        <source>The file was cut or its storage went away: check it and open the model again.</source>
        <translation>文件被截断或其存储已断开：请检查并重新打开模型。</translation>
    </message>
    <message>
        <source>The file was cut while it was loaded: open the model again.</source>
        <translation>文件在加载时被截断：请重新打开模型。</translation>
    </message>
    <message>
        <source>The filesystem has no direct I/O for this file</source>
        <translation>文件系统对该文件不支持直接 I/O</translation>
    </message>
    <message>
        <source>The filesystem has no direct I/O for this file.</source>
        <translation>文件系统对该文件不支持直接 I/O。</translation>
    </message>
    <message>
        <source>The filesystem refuses O_DIRECT</source>
        <translation>文件系统拒绝 O_DIRECT</translation>
    </message>
    <message>
        <source>The filesystem refuses O_DIRECT.</source>
        <translation>文件系统拒绝 O_DIRECT。</translation>
    </message>
    <message>
        <source>The history {0} cannot be opened or written: {1}.</source>
        <translation>历史 {0} 无法打开或写入：{1}。</translation>
    </message>
    <message>
        <source>The history {0} cannot be used: {1}.</source>
        <translation>历史 {0} 无法使用：{1}。</translation>
    </message>
    <message>
        <source>The history {0} cannot be written: {1}.</source>
        <translation>历史 {0} 无法写入：{1}。</translation>
    </message>
    <message>
        <source>The history {0} has schema {1:n}; this version of modelmon knows {2:n}.</source>
        <translation>历史 {0} 的模式版本是 {1}；此版本的 modelmon 支持到 {2}。</translation>
    </message>
    <message>
        <source>The history {0} has schema {1}; this version of modelmon knows {2}.</source>
        <translation>历史 {0} 的格式版本为 {1}；此版本的 modelmon 支持到 {2}。</translation>
    </message>
    <message>
        <source>The history {0} is a folder.</source>
        <translation>历史 {0} 是一个文件夹。</translation>
    </message>
    <message>
        <source>The history {0} is damaged: {1}.</source>
        <translation>历史 {0} 已损坏：{1}。</translation>
    </message>
    <message>
        <source>The history {0} is held by another program.</source>
        <translation>历史 {0} 正被另一个程序占用。</translation>
    </message>
    <message>
        <source>The history's folder {0} cannot be made: {1}.</source>
        <translation>无法创建历史文件夹 {0}：{1}。</translation>
    </message>
    <message>
        <source>The in-process equivalent of {0} has no run that counts.</source>
        <translation>{0} 的进程内等价形式没有可以计入的运行。</translation>
    </message>
    <message>
        <source>The job cannot be understood: {0}</source>
        <translation>无法理解任务：{0}</translation>
    </message>
    <message>
        <source>The job speaks protocol {0}, this worker {1}.</source>
        <translation>任务使用协议 {0}，此工作进程使用 {1}。</translation>
    </message>
    <message>
        <source>The kernel cannot read all pages of the file (EFAULT).</source>
        <translation>内核无法读取文件的全部页（EFAULT）。</translation>
    </message>
    <message>
        <source>The kernel maps all at once.</source>
        <translation>由内核一次全部映射。</translation>
    </message>
    <message>
        <source>The kernel maps all at once. Wins with one core.</source>
        <translation>由内核一次全部映射。单核时最佳。</translation>
    </message>
    <message>
        <source>The kernel reads little ahead on a mount where each request takes long.</source>
        <translation>内核在该挂载上预读很少，而那里每个请求都很慢。</translation>
    </message>
    <message>
        <source>The kernel reads little ahead on {0}, where each request takes long.</source>
        <translation>内核在 {0} 上预读很少，而那里每个请求都很慢。</translation>
    </message>
    <message>
        <source>The load decodes {0} of the time, {1} for each core.</source>
        <translation>加载有 {0} 的时间在解码，每核 {1}。</translation>
    </message>
    <message>
        <source>The load failed: the system gives no more memory.</source>
        <translation>加载失败：系统不再提供内存。</translation>
    </message>
    <message>
        <source>The load failed: {0}.</source>
        <translation>加载失败：{0}。</translation>
    </message>
    <message>
        <source>The load fetches {0} times the files' bytes and waits for them {1} of the time.</source>
        <translation>加载读取了文件大小 {0} 倍的数据，并有 {1} 的时间在等待它们。</translation>
    </message>
    <message>
        <source>The load fetches {0} times the files' bytes by {1} ranks and waits for them {2} of the time.</source>
        <translation>加载由 {1} 个并行秩读取了文件大小 {0} 倍的数据，并有 {2} 的时间在等待它们。</translation>
    </message>
    <message>
        <source>The load finished, yet its process did not end well.</source>
        <translation>加载已完成，但其进程未正常结束。</translation>
    </message>
    <message>
        <source>The load is busy in the kernel with copies ({0} of a core).</source>
        <translation>加载忙于内核中的内存复制（占一个核的 {0}）。</translation>
    </message>
    <message>
        <source>The load is busy in the kernel with page faults ({0} of a core).</source>
        <translation>加载忙于内核中的缺页处理（占一个核的 {0}）。</translation>
    </message>
    <message>
        <source>The load is served from the page cache at {0}: nothing to gain.</source>
        <translation>加载由页缓存以 {0} 供给：没有可提升的空间。</translation>
    </message>
    <message>
        <source>The load is served from the page cache at {0}; a faster disk would change nothing.</source>
        <translation>加载由页缓存以 {0} 供给；换更快的磁盘也不会改变什么。</translation>
    </message>
    <message>
        <source>The load makes the machine swap {0}.</source>
        <translation>加载使系统换页 {0}。</translation>
    </message>
    <message>
        <source>The load no longer waits for pages that are swapped out and in.</source>
        <translation>加载不再等待换出和换入的页。</translation>
    </message>
    <message>
        <source>The load reads {0} again that memory had no room to keep.</source>
        <translation>加载因内存放不下而重读了 {0}。</translation>
    </message>
    <message>
        <source>The load spends {0} µs on each of {1} tensors.</source>
        <translation>加载在 {1} 个张量上各花 {0} µs。</translation>
    </message>
    <message>
        <source>The load took {0:n}.</source>
        <translation>加载用时 {0}。</translation>
    </message>
    <message>
        <source>The load took {0:n}; what for is not to be seen here.</source>
        <translation>加载用时 {0}；时间花在哪里，这里看不到。</translation>
    </message>
    <message>
        <source>The load waits for answers {0} of the time: it asks in random order.</source>
        <translation>加载有 {0} 的时间在等待应答：请求的顺序是随机的。</translation>
    </message>
    <message>
        <source>The load waits for answers {0} of the time: it gets {1} of what the device can.</source>
        <translation>加载有 {0} 的时间在等待应答：只得到设备能力的 {1}。</translation>
    </message>
    <message>
        <source>The load waits for answers {0} of the time: the device is asked for {1} at a time.</source>
        <translation>加载有 {0} 的时间在等待应答：每次只向设备请求 {1}。</translation>
    </message>
    <message>
        <source>The load waits for free memory {0} of the time.</source>
        <translation>加载有 {0} 的时间在等待空闲内存。</translation>
    </message>
    <message>
        <source>The load waits for {0} only {1:n} of the time.</source>
        <translation>加载只有 {1} 的时间在等待{0}。</translation>
    </message>
    <message>
        <source>The load waits for {0} {1:n} of the time and gets {2}, while the device itself rests: something in between holds requests back.</source>
        <translation>加载有 {1} 的时间在等待{0}，只得到 {2}，而设备本身却空闲：中间有东西拦住了请求。</translation>
    </message>
    <message>
        <source>The load waits for {0} {1:n} of the time, for its bandwidth or for its answers.</source>
        <translation>加载有 {1} 的时间在等待{0}，等的是带宽或应答。</translation>
    </message>
    <message>
        <source>The load waits for {0} {1:n} of the time, which delivers {2}.</source>
        <translation>加载有 {1} 的时间在等待{0}，其速率为 {2}。</translation>
    </message>
    <message>
        <source>The load was over after {0}: read totals, not curves.</source>
        <translation>加载在 {0}后就结束了：请看总计，而非曲线。</translation>
    </message>
    <message>
        <source>The load was stopped.</source>
        <translation>加载已停止。</translation>
    </message>
    <message>
        <source>The machine is swapping right now; a load would make it worse.</source>
        <translation>机器此刻正在使用交换空间；加载会让情况更糟。</translation>
    </message>
    <message>
        <source>The machine runs from its battery, which may slow its processor and disk.</source>
        <translation>机器正使用电池供电，处理器和磁盘可能变慢。</translation>
    </message>
    <message>
        <source>The machine slept during the load, so this run is not counted.</source>
        <translation>加载期间机器休眠，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>The memory of both is mapped and evictable.</source>
        <translation>两者的内存都是映射的，可被回收。</translation>
    </message>
    <message>
        <source>The memory of both is owned.</source>
        <translation>两者的内存都是私有内存。</translation>
    </message>
    <message>
        <source>The model changed while it was measured, so this run is not counted.</source>
        <translation>测量期间模型被修改，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>The model did not stay in memory: its pages were dropped meanwhile.</source>
        <translation>模型没有留在内存中：其页在此期间被移除。</translation>
    </message>
    <message>
        <source>The model fits into memory with room to spare.</source>
        <translation>内存放得下模型，且有富余。</translation>
    </message>
    <message>
        <source>The model fits, with little room: a copy of it or a long context may not.</source>
        <translation>模型放得下，但余量很小：再要一份副本或很长的上下文可能就放不下了。</translation>
    </message>
    <message>
        <source>The model is larger than the memory that is free: mapped pages can be dropped again, and one thread reads just ahead of them.</source>
        <translation>模型大于空闲内存：映射的页可以再被移除，并由一个线程在其前方预读。</translation>
    </message>
    <message>
        <source>The model is larger than the memory that it can have.</source>
        <translation>模型大于它可用的内存。</translation>
    </message>
    <message>
        <source>The model is read once instead of again and again.</source>
        <translation>模型只读一次，而不是反复读取。</translation>
    </message>
    <message>
        <source>The model was changed during the experiment, so this run is not counted.</source>
        <translation>实验期间模型被修改，因此本次运行不计入。</translation>
    </message>
    <message>
        <source>The mount asks for little at a time, so that each round trip brings little.</source>
        <translation>该挂载每次请求的数据很少，因此每次往返带来的也很少。</translation>
    </message>
    <message>
        <source>The nearest that works: {0}.</source>
        <translation>最接近的可行组合：{0}。</translation>
    </message>
    <message>
        <source>The next start takes {0}, as long as the file stays in the page cache.</source>
        <translation>只要文件仍在页缓存中，下次启动需 {0}。</translation>
    </message>
    <message>
        <source>The overlay's layers are out of sight, as in a container, and so is the disk below.</source>
        <translation>与在容器中一样，看不到 overlay 的各层，也看不到其下的磁盘。</translation>
    </message>
    <message>
        <source>The pages stay in memory: {0}.</source>
        <translation>这些页留在内存中：{0}。</translation>
    </message>
    <message>
        <source>The path lies in memory: there is nothing slower to load it from.</source>
        <translation>该路径位于内存中：没有更慢的存储可供加载。</translation>
    </message>
    <message>
        <source>The path lies on a Windows drive: every request goes through Windows.</source>
        <translation>该路径位于 Windows 驱动器上：每个请求都要经过 Windows。</translation>
    </message>
    <message>
        <source>The path lies on another machine or on the host of this one.</source>
        <translation>该路径位于另一台机器上，或位于本机的宿主机上。</translation>
    </message>
    <message>
        <source>The probe failed: {0}.</source>
        <translation>磁盘测速失败：{0}。</translation>
    </message>
    <message>
        <source>The probe of {0} closed its output.</source>
        <translation>对 {0} 的磁盘测速关闭了输出。</translation>
    </message>
    <message>
        <source>The probe of {0} ended with exit code {1:n}.</source>
        <translation>对 {0} 的磁盘测速以退出码 {1} 结束。</translation>
    </message>
    <message>
        <source>The probe of {0} was stopped by signal {1:n}.</source>
        <translation>对 {0} 的磁盘测速被信号 {1} 终止。</translation>
    </message>
    <message>
        <source>The probe was stopped.</source>
        <translation>磁盘测速已停止。</translation>
    </message>
    <message>
        <source>The processor got too hot during the load and was slowed.</source>
        <translation>加载期间处理器过热并被降速。</translation>
    </message>
    <message>
        <source>The processor is set to save power, which slows page faults and copies.</source>
        <translation>处理器被设为省电模式，会拖慢缺页处理和内存复制。</translation>
    </message>
    <message>
        <source>The processor is too hot and slows itself down.</source>
        <translation>处理器过热，正在自行降速。</translation>
    </message>
    <message>
        <source>The processor's whole speed.</source>
        <translation>处理器的全部速度。</translation>
    </message>
    <message>
        <source>The rate of the virtual disk instead of one request at a time.</source>
        <translation>可达虚拟磁盘的速率，而不是一次一个请求。</translation>
    </message>
    <message>
        <source>The recording breaks off before the load ended.</source>
        <translation>记录在加载结束前中断。</translation>
    </message>
    <message>
        <source>The recording is damaged from line {0:n} on.</source>
        <translation>记录从第 {0} 行起损坏。</translation>
    </message>
    <message>
        <source>The run did not end.</source>
        <translation>运行没有结束。</translation>
    </message>
    <message>
        <source>The runs so far are not those of such a race.</source>
        <translation>已有的运行不属于这样的寻找最佳。</translation>
    </message>
    <message>
        <source>The runs so far are not those that this version would have made.</source>
        <translation>已有的运行与此版本会进行的运行不同。</translation>
    </message>
    <message>
        <source>The runs so far were made {0}; the others have to be made alike.</source>
        <translation>之前的运行{0}；其余运行须以相同方式进行。</translation>
    </message>
    <message>
        <source>The runs table says why; then compare again.</source>
        <translation>运行表中说明了原因；然后重新对比。</translation>
    </message>
    <message>
        <source>The sample was cancelled; nothing is left of it.</source>
        <translation>示例模型已取消，没有留下任何内容。</translation>
    </message>
    <message>
        <source>The storage hangs or is very slow: check its mount, or give more --seconds.</source>
        <translation>存储卡住或非常慢：请检查其挂载，或增大 --seconds。</translation>
    </message>
    <message>
        <source>The storage is far away: several readers hide its round trips, which page faults wait for one by one.</source>
        <translation>存储在远处：多个读取器可掩盖往返时间，而缺页只能逐次等待。</translation>
    </message>
    <message>
        <source>The supervisor of this loader is gone.</source>
        <translation>此加载进程的监管进程已不存在。</translation>
    </message>
    <message>
        <source>The worker could not be started: {0}.</source>
        <translation>无法启动工作进程：{0}。</translation>
    </message>
    <message>
        <source>The worker ended with code {0} before it had told how the load went.</source>
        <translation>工作进程在报告加载情况之前以代码 {0} 结束。</translation>
    </message>
    <message>
        <source>The worker speaks protocol {0}, this program {1}.</source>
        <translation>工作进程使用协议 {0}，此程序使用 {1}。</translation>
    </message>
    <message>
        <source>The worker was ended by {0} before it had told how the load went.</source>
        <translation>工作进程在报告加载情况之前被 {0} 终止。</translation>
    </message>
    <message>
        <source>The worker wrote something that cannot be understood: {0}.</source>
        <translation>工作进程写出了无法理解的内容：{0}。</translation>
    </message>
    <message>
        <source>The worker {0}.</source>
        <translation>工作进程{0}。</translation>
    </message>
    <message>
        <source>There are {0:n}, for example: {1}.</source>
        <translation>共有 {0} 个，例如：{1}。</translation>
    </message>
    <message>
        <source>There is no axis called {0}.</source>
        <translation>没有名为 {0} 的轴。</translation>
    </message>
    <message>
        <source>There is no experiment x{0:n}.</source>
        <translation>没有实验 x{0}。</translation>
    </message>
    <message>
        <source>There is no experiment x{0}.</source>
        <translation>没有实验 x{0}。</translation>
    </message>
    <message>
        <source>There is no file {0}.</source>
        <translation>没有文件 {0}。</translation>
    </message>
    <message>
        <source>There is no folder {0}.</source>
        <translation>没有文件夹 {0}。</translation>
    </message>
    <message>
        <source>There is no library called {0} here.</source>
        <translation>这里没有名为 {0} 的库。</translation>
    </message>
    <message>
        <source>There is no library strategy called {0}.</source>
        <translation>没有名为 {0} 的库策略。</translation>
    </message>
    <message>
        <source>There is no run {0:n} in the history.</source>
        <translation>历史中没有运行 {0}。</translation>
    </message>
    <message>
        <source>There is no run {0} in the history.</source>
        <translation>历史中没有运行 {0}。</translation>
    </message>
    <message>
        <source>There is no strategy called {0}.</source>
        <translation>没有名为 {0} 的策略。</translation>
    </message>
    <message>
        <source>There is too little memory free to measure it.</source>
        <translation>空闲内存太少，无法测量。</translation>
    </message>
    <message>
        <source>This container had used up its CPU time and was held back.</source>
        <translation>此容器的 CPU 时间已用完，因而被限制。</translation>
    </message>
    <message>
        <source>This load needs {0}, but {1} of RAM are available, of which the cgroup's limit leaves {2}.</source>
        <translation>此加载需要 {0}，但只有 {1} 内存可用，其中 cgroup 的上限只留下 {2}。</translation>
    </message>
    <message>
        <source>This load needs {0}, but {1} of RAM are available.</source>
        <translation>此加载需要 {0}，但只有 {1} 内存可用。</translation>
    </message>
    <message>
        <source>This run is not counted.</source>
        <translation>本次运行不计入。</translation>
    </message>
    <message>
        <source>This start was not cold, so it is not counted: {0}.</source>
        <translation>本次不是冷启动，因此不计入：{0}。</translation>
    </message>
    <message>
        <source>This start was not warm, so it is not counted: {0}.</source>
        <translation>本次不是热启动，因此不计入：{0}。</translation>
    </message>
    <message>
        <source>This system has no call that drops one file from its cache.</source>
        <translation>此系统没有把单个文件移出缓存的调用。</translation>
    </message>
    <message>
        <source>This system has no reads past its file cache</source>
        <translation>此系统不支持绕过文件缓存的读取</translation>
    </message>
    <message>
        <source>This system has no reads past its file cache.</source>
        <translation>此系统不支持绕过文件缓存的读取。</translation>
    </message>
    <message>
        <source>This version knows: {0}.</source>
        <translation>此版本支持：{0}。</translation>
    </message>
    <message>
        <source>Those of the newest runs and of starred ones are.</source>
        <translation>只保留最新运行和已加星运行的事件。</translation>
    </message>
    <message>
        <source>Threads read at once.</source>
        <translation>多线程同时读取。</translation>
    </message>
    <message>
        <source>Threads read at once. Wins on NVMe.</source>
        <translation>多线程同时读取。NVMe 上最佳。</translation>
    </message>
    <message>
        <source>Threads read each file whole.</source>
        <translation>线程整文件读取。</translation>
    </message>
    <message>
        <source>Threads read each file whole. Made for GPUs.</source>
        <translation>线程整文件读取。为 GPU 而设计。</translation>
    </message>
    <message>
        <source>Threads stream tensors.</source>
        <translation>线程流式读取张量。</translation>
    </message>
    <message>
        <source>Threads stream tensors. Wins on fast cold disks.</source>
        <translation>线程流式读取张量。快速磁盘冷启动时最佳。</translation>
    </message>
    <message>
        <source>Through the cache</source>
        <translation>经过缓存</translation>
    </message>
    <message>
        <source>To learn how the model loads elsewhere, measure it there.</source>
        <translation>想知道模型在别处加载得如何，请到那里测量。</translation>
    </message>
    <message>
        <source>Too little was read for a rate.</source>
        <translation>读取的数据太少，无法得出速率。</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>符号链接层数过多</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件过多</translation>
    </message>
    <message>
        <source>Transparent huge pages are off, so that fresh memory costs a fault every 4 KiB.</source>
        <translation>透明大页已关闭，因此新内存每 4 KiB 就有一次缺页。</translation>
    </message>
    <message>
        <source>Transport endpoint is not connected</source>
        <translation>传输端点未连接</translation>
    </message>
    <message>
        <source>Try again when it is done.</source>
        <translation>请在它完成后重试。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Try again; the disk may have failed.</source>
        <translation>请重试；磁盘可能已出故障。</translation>
    </message>
    <message>
        <source>USB bridges often do not pass on what the disk says</source>
        <translation>USB 桥接器往往不会转达磁盘的说法</translation>
    </message>
    <message>
        <source>Undecided: A {0}, B {1}, but the runs scatter ({2}).</source>
        <translation>无法判定：A {0}，B {1}，但各次运行离散（{2}）。</translation>
    </message>
    <message>
        <source>Undecided: A {0}, B {1}, but too few runs ({2}).</source>
        <translation>无法判定：A {0}，B {1}，但运行次数太少（{2}）。</translation>
    </message>
    <message>
        <source>Unknown axis {0} in the load configuration.</source>
        <translation>加载配置中有未知的轴 {0}。</translation>
    </message>
    <message>
        <source>Unknown command {0}.</source>
        <translation>未知命令 {0}。</translation>
    </message>
    <message>
        <source>Unknown field {0} in the subset.</source>
        <translation>子集中有未知的字段 {0}。</translation>
    </message>
    <message>
        <source>Untouched loads end before their bytes are in memory: their times cannot be compared.</source>
        <translation>不触碰数据的加载（untouched）在数据进入内存之前就已结束：其时间无法比较。</translation>
    </message>
    <message>
        <source>Up to 500 MB/s instead of 60 MB/s.</source>
        <translation>最高 500 MB/s，而不是 60 MB/s。</translation>
    </message>
    <message>
        <source>Up to the possible rate of the link.</source>
        <translation>最高可达链路的速率。</translation>
    </message>
    <message>
        <source>Up to the rate of the drive.</source>
        <translation>最高可达硬盘的速率。</translation>
    </message>
    <message>
        <source>Up to {0} for one reader instead of {1}, as probed.</source>
        <translation>据测速，单个读取器最高 {0}，而不是 {1}。</translation>
    </message>
    <message>
        <source>Up to {0} more than that came from storage, so that these may be too long.</source>
        <translation>来自存储的数据最多多出 {0}，所以推算的时间可能偏长。</translation>
    </message>
    <message>
        <source>Update modelmon, or convert the model to one of these types.</source>
        <translation>请更新 modelmon，或把模型转换为这些类型之一。</translation>
    </message>
    <message>
        <source>Update modelmon.</source>
        <translation>请更新 modelmon。</translation>
    </message>
    <message>
        <source>Update {0} or remove it.</source>
        <translation>请更新或移除 {0}。</translation>
    </message>
    <message>
        <source>Use a USB 3 port and cable.</source>
        <translation>请使用 USB 3 接口和线缆。</translation>
    </message>
    <message>
        <source>Use a filesystem with direct I/O, or another access.</source>
        <translation>请使用支持直接 I/O 的文件系统，或其他访问方式。</translation>
    </message>
    <message>
        <source>Use at most {0:n} readers, or raise the limit.</source>
        <translation>最多使用 {0} 个读取器，或提高限制。</translation>
    </message>
    <message>
        <source>Use stream_model.</source>
        <translation>请使用 stream_model。</translation>
    </message>
    <message>
        <source>Use the newer version, or keep another history with MODELMON_DATA_DIR.</source>
        <translation>请使用较新的版本，或用 MODELMON_DATA_DIR 另存一份历史。</translation>
    </message>
    <message>
        <source>Use the version of modelmon that wrote it.</source>
        <translation>请使用写入它的 modelmon 版本。</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Virtual machine</source>
        <translation>虚拟机</translation>
    </message>
    <message>
        <source>Wait until it is complete, then open it again.</source>
        <translation>请等它完成后再打开。</translation>
    </message>
    <message>
        <source>Wait until it is done, then run again.</source>
        <translation>请等它完成，然后重新运行。</translation>
    </message>
    <message>
        <source>Wait until the disk is quiet, then probe again: {0}</source>
        <translation>等磁盘空闲后再次测速：{0}</translation>
    </message>
    <message>
        <source>Waiting for it</source>
        <translation>等待内存</translation>
    </message>
    <message>
        <source>Warm starts were not measured.</source>
        <translation>未测量热启动。</translation>
    </message>
    <message>
        <source>Warm-up {0} is a call of Linux.</source>
        <translation>预热 {0} 是 Linux 的调用。</translation>
    </message>
    <message>
        <source>What is cached is {0}</source>
        <translation>缓存内容{0}</translation>
    </message>
    <message>
        <source>What is cached of the file cannot be known here, and reading it through the cache would change that.</source>
        <translation>此处无法得知文件的哪些部分已缓存，而经过缓存读取会改变它。</translation>
    </message>
    <message>
        <source>What is cached of the file cannot be known, so no run can be called cold for sure.</source>
        <translation>无法得知文件的哪些部分已缓存，因此没有任何运行能确定是冷启动。</translation>
    </message>
    <message>
        <source>What is decoded is read ahead of its decoder already, so prefetch has no place.</source>
        <translation>要解码的数据已在解码器之前读取，所以用不上预取。</translation>
    </message>
    <message>
        <source>What its users pay.</source>
        <translation>其用户的实际代价。</translation>
    </message>
    <message>
        <source>What stays there does no harm.</source>
        <translation>留在那里的内容没有害处。</translation>
    </message>
    <message>
        <source>What the storage is cannot be seen: several readers with large requests are fast on most.</source>
        <translation>看不出存储的类型：多个读取器加大请求在多数存储上都很快。</translation>
    </message>
    <message>
        <source>What was cached at the start is unknown: {0}.</source>
        <translation>启动时的缓存状态未知：{0}。</translation>
    </message>
    <message>
        <source>What was cached at the start is {0}.</source>
        <translation>启动时的缓存状态：{0}。</translation>
    </message>
    <message>
        <source>When less is to be had: {0}.</source>
        <translation>若要从简：{0}。</translation>
    </message>
    <message>
        <source>When memory is short: it holds {0}.</source>
        <translation>若内存紧张：它占用 {0}。</translation>
    </message>
    <message>
        <source>When the model is loaded again soon: it leaves {0} of the file in the page cache.</source>
        <translation>若模型很快会再次加载：它在页缓存中留下文件的 {0}。</translation>
    </message>
    <message>
        <source>Whether starts were cold could not be seen here.</source>
        <translation>这里看不到是否为冷启动。</translation>
    </message>
    <message>
        <source>Whether starts were warm could not be seen here.</source>
        <translation>这里看不到是否为热启动。</translation>
    </message>
    <message>
        <source>While this was measured, {0}.</source>
        <translation>测量期间，{0}。</translation>
    </message>
    <message>
        <source>Windows cannot hand one open file to several readers.</source>
        <translation>Windows 不能把一个打开的文件交给多个读取器。</translation>
    </message>
    <message>
        <source>Windows does not tell what it has cached</source>
        <translation>Windows 不提供缓存情况</translation>
    </message>
    <message>
        <source>Windows refuses to stay awake.</source>
        <translation>Windows 拒绝保持唤醒。</translation>
    </message>
    <message>
        <source>Wins mostly.</source>
        <translation>多数情况下最佳。</translation>
    </message>
    <message>
        <source>Wins on NVMe.</source>
        <translation>NVMe 上最佳。</translation>
    </message>
    <message>
        <source>Wins on fast cold disks.</source>
        <translation>快速磁盘冷启动时最佳。</translation>
    </message>
    <message>
        <source>Wins on hard disks.</source>
        <translation>机械硬盘上最佳。</translation>
    </message>
    <message>
        <source>Wins on slow networks.</source>
        <translation>慢速网络上最佳。</translation>
    </message>
    <message>
        <source>Wins over sharing.</source>
        <translation>优于共用描述符。</translation>
    </message>
    <message>
        <source>Wins when it is cached.</source>
        <translation>已缓存时最佳。</translation>
    </message>
    <message>
        <source>Wins when nothing is cached.</source>
        <translation>完全未缓存时最佳。</translation>
    </message>
    <message>
        <source>Wins where faults are slow.</source>
        <translation>缺页慢时最佳。</translation>
    </message>
    <message>
        <source>Wins where maps are slow.</source>
        <translation>映射慢时最佳。</translation>
    </message>
    <message>
        <source>Wins with one core.</source>
        <translation>单核时最佳。</translation>
    </message>
    <message>
        <source>With one reader</source>
        <translation>单读取器</translation>
    </message>
    <message>
        <source>Workers share a descriptor: the known bad case.</source>
        <translation>各进程共用一个描述符：已知的坏例子。</translation>
    </message>
    <message>
        <source>Write * for all names.</source>
        <translation>用 * 表示所有名称。</translation>
    </message>
    <message>
        <source>Write for example 512MiB or 8GiB.</source>
        <translation>例如写成 512MiB 或 8GiB。</translation>
    </message>
    <message>
        <source>Write for example x12, or last.</source>
        <translation>请输入例如 x12，或 last。</translation>
    </message>
    <message>
        <source>a FUSE mount with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB</source>
        <translation>每个请求 2 ms 的 FUSE 挂载：预读 128 KiB 时 93 MB/s，4 MiB 时 933 MB/s</translation>
    </message>
    <message>
        <source>a SATA SSD</source>
        <translation>SATA SSD</translation>
    </message>
    <message>
        <source>a common recommendation for RAM: 1.5 times the model</source>
        <translation>常见的内存建议：模型大小的 1.5 倍</translation>
    </message>
    <message>
        <source>a device with 2 ms a request: 93 MB/s at 128 KiB, 933 MB/s at 4 MiB</source>
        <translation>每个请求 2 ms 的设备：预读 128 KiB 时 93 MB/s，4 MiB 时 933 MB/s</translation>
    </message>
    <message>
        <source>a drive of Windows</source>
        <translation>Windows 驱动器</translation>
    </message>
    <message>
        <source>a factor of {0:n}</source>
        <translation>{0} 倍</translation>
    </message>
    <message>
        <source>a hard disk</source>
        <translation>机械硬盘</translation>
    </message>
    <message>
        <source>a hypervisor runs below, --fresh-memory was asked</source>
        <translation>运行在虚拟机管理程序之上，且要求了 --fresh-memory</translation>
    </message>
    <message>
        <source>a local disk caches what was read, out of the page cache's sight</source>
        <translation>本地磁盘会缓存读过的内容，页缓存看不到</translation>
    </message>
    <message>
        <source>a metadata key</source>
        <translation>元数据键</translation>
    </message>
    <message>
        <source>a probe of that disk, {0} at the most</source>
        <translation>该磁盘的测速，最高 {0}</translation>
    </message>
    <message>
        <source>a second direct read of the same places was {0} times as fast</source>
        <translation>对相同位置第二次直接读取的速度是第一次的 {0} 倍</translation>
    </message>
    <message>
        <source>a tensor's name</source>
        <translation>张量名称</translation>
    </message>
    <message>
        <source>a virtual disk has none of its own</source>
        <translation>虚拟磁盘没有自己的链路</translation>
    </message>
    <message>
        <source>a virtual disk repeats what its host was told to say</source>
        <translation>虚拟磁盘只是重复宿主机设定的说法</translation>
    </message>
    <message>
        <source>about {0}, for want of runs</source>
        <translation>因运行次数不足，约为 {0}</translation>
    </message>
    <message>
        <source>above it {0}</source>
        <translation>其上游 {0}</translation>
    </message>
    <message>
        <source>an NVMe drive</source>
        <translation>NVMe 硬盘</translation>
    </message>
    <message>
        <source>an unknown driver</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>and swap ({0:n} free) would not hold the rest either</source>
        <translation>且交换空间（空闲 {0}）也容纳不下其余部分</translation>
    </message>
    <message>
        <source>and there is no swap free for the rest</source>
        <translation>且没有空闲的交换空间容纳其余部分</translation>
    </message>
    <message>
        <source>another amount loaded</source>
        <translation>不同的加载量</translation>
    </message>
    <message>
        <source>another delivery</source>
        <translation>不同的交付方式</translation>
    </message>
    <message>
        <source>another disk</source>
        <translation>不同的磁盘</translation>
    </message>
    <message>
        <source>another machine</source>
        <translation>不同的机器</translation>
    </message>
    <message>
        <source>another model</source>
        <translation>不同的模型</translation>
    </message>
    <message>
        <source>another part of the model</source>
        <translation>模型的不同部分</translation>
    </message>
    <message>
        <source>another process maps or reads the file</source>
        <translation>另一个进程映射或读取了该文件</translation>
    </message>
    <message>
        <source>another start state</source>
        <translation>不同的启动状态</translation>
    </message>
    <message>
        <source>answer after</source>
        <translation>应答延迟</translation>
    </message>
    <message>
        <source>answer after {0:n}</source>
        <translation>应答延迟 {0}</translation>
    </message>
    <message>
        <source>array (md)</source>
        <translation>阵列（md）</translation>
    </message>
    <message>
        <source>array (md) {0}</source>
        <translation>阵列（md）{0}</translation>
    </message>
    <message>
        <source>as asked</source>
        <translation>按要求</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>asked for {0:n}</source>
        <translation>请求 {0}</translation>
    </message>
    <message>
        <source>asleep for {0:n}</source>
        <translation>休眠 {0}</translation>
    </message>
    <message>
        <source>at best {0}</source>
        <translation>最快 {0}</translation>
    </message>
    <message>
        <source>at most {0:n} a request</source>
        <translation>每个请求最多 {0}</translation>
    </message>
    <message>
        <source>backend="pread" came with safetensors 0.9; this is {0}: update safetensors.</source>
        <translation>backend="pread" 自 safetensors 0.9 起才有，而当前是 {0}：请更新 safetensors。</translation>
    </message>
    <message>
        <source>blocks {0}</source>
        <translation>块 {0}</translation>
    </message>
    <message>
        <source>bounds unknown</source>
        <translation>上下限未知</translation>
    </message>
    <message>
        <source>bus not told</source>
        <translation>总线未知</translation>
    </message>
    <message>
        <source>checked by the CPU</source>
        <translation>由 CPU 校验</translation>
    </message>
    <message>
        <source>checked by the CPU {0}</source>
        <translation>由 CPU 校验 {0}</translation>
    </message>
    <message>
        <source>closed its output</source>
        <translation>关闭了输出</translation>
    </message>
    <message>
        <source>cold starts of the best</source>
        <translation>最佳者的冷启动</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>compressed memory (zram)</source>
        <translation>压缩内存（zram）</translation>
    </message>
    <message>
        <source>concepts.rst in the kernel's Documentation/admin-guide/mm, on reclaim</source>
        <translation>内核 Documentation/admin-guide/mm 中的 concepts.rst 关于回收的说明</translation>
    </message>
    <message>
        <source>connections that share the load</source>
        <translation>分担负载的连接数</translation>
    </message>
    <message>
        <source>cpupower frequency-set -g schedutil, powerprofilesctl set balanced, or mains power</source>
        <translation>cpupower frequency-set -g schedutil、powerprofilesctl set balanced，或接通电源</translation>
    </message>
    <message>
        <source>decoders</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>decoders {0:n}</source>
        <translation>解码器 {0} 个</translation>
    </message>
    <message>
        <source>decodes {0} of the time, {1} for each core</source>
        <translation>有 {0} 的时间在解码，每核 {1}</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>decoding {0:n}</source>
        <translation>解码 {0}</translation>
    </message>
    <message>
        <source>decrypted by the CPU</source>
        <translation>由 CPU 解密</translation>
    </message>
    <message>
        <source>decrypted by the CPU {0}</source>
        <translation>由 CPU 解密 {0}</translation>
    </message>
    <message>
        <source>defragments {0}</source>
        <translation>碎片整理 {0}</translation>
    </message>
    <message>
        <source>delivered {0:n}</source>
        <translation>已交付 {0}</translation>
    </message>
    <message>
        <source>delivered {0:n}, from storage {1:n}, readers {2:n}</source>
        <translation>已交付 {0}，来自存储 {1}，读取器 {2} 个</translation>
    </message>
    <message>
        <source>delivered {0:n}, readers {1:n}</source>
        <translation>已交付 {0}，读取器 {1} 个</translation>
    </message>
    <message>
        <source>device bandwidth</source>
        <translation>设备带宽</translation>
    </message>
    <message>
        <source>device busy</source>
        <translation>设备忙碌</translation>
    </message>
    <message>
        <source>device busy {0:n}</source>
        <translation>设备忙碌 {0}</translation>
    </message>
    <message>
        <source>device can</source>
        <translation>设备能力</translation>
    </message>
    <message>
        <source>device can {0:n}</source>
        <translation>设备能力 {0}</translation>
    </message>
    <message>
        <source>device latency</source>
        <translation>设备延迟</translation>
    </message>
    <message>
        <source>device mapper</source>
        <translation>设备映射</translation>
    </message>
    <message>
        <source>device mapper {0}</source>
        <translation>设备映射 {0}</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>dm-crypt, decrypted by the CPU</source>
        <translation>dm-crypt，由 CPU 解密</translation>
    </message>
    <message>
        <source>dm-crypt, decrypted by the CPU {0}</source>
        <translation>dm-crypt，由 CPU 解密 {0}</translation>
    </message>
    <message>
        <source>dm-verity, checked by the CPU</source>
        <translation>dm-verity，由 CPU 校验</translation>
    </message>
    <message>
        <source>dm-verity, checked by the CPU {0}</source>
        <translation>dm-verity，由 CPU 校验 {0}</translation>
    </message>
    <message>
        <source>does not fit: {0}</source>
        <translation>放不下：{0}</translation>
    </message>
    <message>
        <source>ended with exit code {0:n}</source>
        <translation>以退出码 {0} 结束</translation>
    </message>
    <message>
        <source>energy preference power</source>
        <translation>能耗偏好 power</translation>
    </message>
    <message>
        <source>every access asks the server whether the file changed</source>
        <translation>每次访问都询问服务器文件是否改变</translation>
    </message>
    <message>
        <source>every byte is decrypted by the CPU</source>
        <translation>每个字节都由 CPU 解密</translation>
    </message>
    <message>
        <source>every read notes its time on the disk</source>
        <translation>每次读取都会把时间写到磁盘</translation>
    </message>
    <message>
        <source>expected {0}</source>
        <translation>应为 {0}</translation>
    </message>
    <message>
        <source>expected {0} or {1}</source>
        <translation>应为 {0} 或 {1}</translation>
    </message>
    <message>
        <source>faults {0:n} ({1:n} a MB)</source>
        <translation>缺页 {0} 次（每 MB {1} 次）</translation>
    </message>
    <message>
        <source>fetches {0} times the files' bytes and waits for them {1} of the time</source>
        <translation>读取了文件大小 {0} 倍的数据，并有 {1} 的时间在等待它们</translation>
    </message>
    <message>
        <source>fetches {0} times the files' bytes by {1} ranks and waits for them {2} of the time</source>
        <translation>由 {1} 个并行秩读取了文件大小 {0} 倍的数据，并有 {2} 的时间在等待它们</translation>
    </message>
    <message>
        <source>files written since are decompressed by the CPU</source>
        <translation>此后写入的文件由 CPU 解压</translation>
    </message>
    <message>
        <source>filesystem {0}</source>
        <translation>文件系统 {0}</translation>
    </message>
    <message>
        <source>fits: {0}</source>
        <translation>放得下：{0}</translation>
    </message>
    <message>
        <source>from an object store</source>
        <translation>来自对象存储</translation>
    </message>
    <message>
        <source>from an unknown place</source>
        <translation>来源未知</translation>
    </message>
    <message>
        <source>from another machine</source>
        <translation>来自另一台机器</translation>
    </message>
    <message>
        <source>from local files</source>
        <translation>来自本地文件</translation>
    </message>
    <message>
        <source>from storage</source>
        <translation>来自存储</translation>
    </message>
    <message>
        <source>from storage {0:n}</source>
        <translation>来自存储 {0}</translation>
    </message>
    <message>
        <source>gguf {0}, which is installed, has no decoder for it</source>
        <translation>已安装的 gguf {0} 没有它的解码器</translation>
    </message>
    <message>
        <source>governor powersave with {0}</source>
        <translation>调速器 powersave，驱动 {0}</translation>
    </message>
    <message>
        <source>hard disk</source>
        <translation>机械硬盘</translation>
    </message>
    <message>
        <source>hard disk ({0})</source>
        <translation>机械硬盘（{0}）</translation>
    </message>
    <message>
        <source>how far the client reads ahead</source>
        <translation>客户端的预读距离</translation>
    </message>
    <message>
        <source>hugetlbfs files have no page cache</source>
        <translation>hugetlbfs 文件没有页缓存</translation>
    </message>
    <message>
        <source>in its middle run {0}</source>
        <translation>在其居中的一次运行中{0}</translation>
    </message>
    <message>
        <source>in the cgroup</source>
        <translation>cgroup 中已用</translation>
    </message>
    <message>
        <source>in the cgroup {0:n}</source>
        <translation>cgroup 中已用 {0}</translation>
    </message>
    <message>
        <source>in the library</source>
        <translation>在库中</translation>
    </message>
    <message>
        <source>in the library {0:n}</source>
        <translation>在库中 {0}</translation>
    </message>
    <message>
        <source>intel_pstate.rst, amd-pstate.rst and cpufreq.rst in the kernel's Documentation/admin-guide/pm</source>
        <translation>内核 Documentation/admin-guide/pm 中的 intel_pstate.rst、amd-pstate.rst 和 cpufreq.rst</translation>
    </message>
    <message>
        <source>into fresh pages {0:n} at best</source>
        <translation>写入新页最高 {0}</translation>
    </message>
    <message>
        <source>into pages in use {0:n} at best</source>
        <translation>写入使用中的页最高 {0}</translation>
    </message>
    <message>
        <source>invalid character</source>
        <translation>无效字符</translation>
    </message>
    <message>
        <source>invalid continuation byte</source>
        <translation>无效的后续字节</translation>
    </message>
    <message>
        <source>invalid escape character in string</source>
        <translation>字符串中有无效的转义字符</translation>
    </message>
    <message>
        <source>invalid number</source>
        <translation>无效的数字</translation>
    </message>
    <message>
        <source>invalid start byte</source>
        <translation>无效的起始字节</translation>
    </message>
    <message>
        <source>invalidate_mapping_pages() in the kernel's mm/truncate.c</source>
        <translation>内核 mm/truncate.c 中的 invalidate_mapping_pages()</translation>
    </message>
    <message>
        <source>is busy in the kernel with copies ({0} of a core)</source>
        <translation>忙于内核中的内存复制（占一个核的 {0}）</translation>
    </message>
    <message>
        <source>is busy in the kernel with page faults ({0} of a core)</source>
        <translation>忙于内核中的缺页处理（占一个核的 {0}）</translation>
    </message>
    <message>
        <source>is served from the page cache at {0}: nothing to gain</source>
        <translation>由页缓存以 {0} 供给：没有可提升的空间</translation>
    </message>
    <message>
        <source>is served from the page cache at {0}; a faster disk would change nothing</source>
        <translation>由页缓存以 {0} 供给；换更快的磁盘也不会改变什么</translation>
    </message>
    <message>
        <source>it does not derive from modelmon's Baseline</source>
        <translation>它不是 modelmon 的 Baseline 的子类</translation>
    </message>
    <message>
        <source>it ended before the race was stopped</source>
        <translation>它在寻找最佳停止前已结束</translation>
    </message>
    <message>
        <source>it gives no reason</source>
        <translation>它没有给出原因</translation>
    </message>
    <message>
        <source>it is closer to a preset</source>
        <translation>它更接近预设</translation>
    </message>
    <message>
        <source>it lacks {0}</source>
        <translation>它缺少 {0}</translation>
    </message>
    <message>
        <source>it needs no other package</source>
        <translation>它不需要其他软件包</translation>
    </message>
    <message>
        <source>it takes threads instead of processes</source>
        <translation>它用线程而不是进程</translation>
    </message>
    <message>
        <source>it takes {0:n} instead of {1:n} readers</source>
        <translation>它只用 {0} 个读取器，而不是 {1} 个</translation>
    </message>
    <message>
        <source>items of {0}</source>
        <translation>{0} 的元素</translation>
    </message>
    <message>
        <source>its access is {0} instead of {1}</source>
        <translation>它的访问方式是 {0} 而不是 {1}</translation>
    </message>
    <message>
        <source>its cgroup grants {0:n} at a time</source>
        <translation>其 cgroup 允许同时使用 {0} 个</translation>
    </message>
    <message>
        <source>its cgroup, which may have {0:n},</source>
        <translation>其 cgroup（上限 {0}）</translation>
    </message>
    <message>
        <source>its limit</source>
        <translation>其上限</translation>
    </message>
    <message>
        <source>its limit {0:n}</source>
        <translation>其上限 {0}</translation>
    </message>
    <message>
        <source>its memory is {0} instead of {1}</source>
        <translation>它的内存是 {0} 而不是 {1}</translation>
    </message>
    <message>
        <source>its pages would be dropped and read again and again</source>
        <translation>它的页会被移除并一再重新读取</translation>
    </message>
    <message>
        <source>its runs did not start as asked.</source>
        <translation>它的运行未按要求启动。</translation>
    </message>
    <message>
        <source>its values are complex</source>
        <translation>其值是复数</translation>
    </message>
    <message>
        <source>its values are packed below a byte</source>
        <translation>其值不足一字节而紧密存放</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>just now of {0}, in {1:n}</source>
        <translation>刚刚，{0}，用时 {1}</translation>
    </message>
    <message>
        <source>kernel CPU</source>
        <translation>内核 CPU</translation>
    </message>
    <message>
        <source>kernel: {0} → {1}</source>
        <translation>内核：{0} → {1}</translation>
    </message>
    <message>
        <source>kind of storage unknown</source>
        <translation>存储类型未知</translation>
    </message>
    <message>
        <source>known from its mount type</source>
        <translation>由挂载类型得知</translation>
    </message>
    <message>
        <source>known from its serving process</source>
        <translation>由提供它的进程得知</translation>
    </message>
    <message>
        <source>known from its source</source>
        <translation>由来源得知</translation>
    </message>
    <message>
        <source>known from its {0}</source>
        <translation>由{0}得知</translation>
    </message>
    <message>
        <source>large reads suffer from every lost packet</source>
        <translation>大块读取会受每个丢包影响</translation>
    </message>
    <message>
        <source>least available</source>
        <translation>最少可用</translation>
    </message>
    <message>
        <source>least available {0:n}</source>
        <translation>最少可用 {0}</translation>
    </message>
    <message>
        <source>library: {0} → {1}</source>
        <translation>库：{0} → {1}</translation>
    </message>
    <message>
        <source>limited bandwidth</source>
        <translation>带宽受限</translation>
    </message>
    <message>
        <source>llama.cpp cannot load {0}: {1}.</source>
        <translation>llama.cpp 无法加载 {0}：{1}。</translation>
    </message>
    <message>
        <source>llama.cpp itself, reading all.</source>
        <translation>llama.cpp 本身，读取全部。</translation>
    </message>
    <message>
        <source>llama.cpp itself, reading all. What its users pay.</source>
        <translation>llama.cpp 本身，读取全部。其用户的实际代价。</translation>
    </message>
    <message>
        <source>local disk</source>
        <translation>本地磁盘</translation>
    </message>
    <message>
        <source>looked through the open files and maps of all processes in sight</source>
        <translation>已检查所有可见进程打开和映射的文件</translation>
    </message>
    <message>
        <source>loop device</source>
        <translation>回环设备</translation>
    </message>
    <message>
        <source>loop device without direct I/O on {0}</source>
        <translation>回环设备，对 {0} 未使用直接 I/O</translation>
    </message>
    <message>
        <source>loop device {0}</source>
        <translation>回环设备 {0}</translation>
    </message>
    <message>
        <source>lseek(2), on holes: they read as zeros</source>
        <translation>lseek(2) 关于空洞的说明：读出来全是零</translation>
    </message>
    <message>
        <source>machine, disk and model of an import are not known for sure</source>
        <translation>导入记录的机器、磁盘和模型无法确知</translation>
    </message>
    <message>
        <source>makes the machine swap {0}</source>
        <translation>使系统换页 {0}</translation>
    </message>
    <message>
        <source>maps the host's memory: the page cache here is bypassed</source>
        <translation>映射宿主机的内存：绕过本机的页缓存</translation>
    </message>
    <message>
        <source>maximum recursion depth exceeded</source>
        <translation>超出最大递归深度</translation>
    </message>
    <message>
        <source>maximum recursion depth exceeded while deserializing an object</source>
        <translation>反序列化对象时超出最大递归深度</translation>
    </message>
    <message>
        <source>mean request</source>
        <translation>平均请求</translation>
    </message>
    <message>
        <source>mean request {0:n}</source>
        <translation>平均请求 {0}</translation>
    </message>
    <message>
        <source>mean size</source>
        <translation>平均大小</translation>
    </message>
    <message>
        <source>mean size {0:n}</source>
        <translation>平均大小 {0}</translation>
    </message>
    <message>
        <source>mean wait {0:n}</source>
        <translation>平均等待 {0}</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>measured by readers, {0}</source>
        <translation>按读取器数量测得，{0}</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>memory ({0})</source>
        <translation>内存（{0}）</translation>
    </message>
    <message>
        <source>memory copies</source>
        <translation>内存复制</translation>
    </message>
    <message>
        <source>memory copies {0:n}</source>
        <translation>内存复制 {0}</translation>
    </message>
    <message>
        <source>memory touched before or not</source>
        <translation>内存是否预先触碰过</translation>
    </message>
    <message>
        <source>model not told</source>
        <translation>型号未知</translation>
    </message>
    <message>
        <source>modelmon: {0} → {1}</source>
        <translation>modelmon：{0} → {1}</translation>
    </message>
    <message>
        <source>mount.fuse3(8), direct_io</source>
        <translation>mount.fuse3(8)，direct_io</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>network ({0})</source>
        <translation>网络（{0}）</translation>
    </message>
    <message>
        <source>nfs(5), mount.cifs(8) and 9p.rst in the kernel's Documentation/filesystems</source>
        <translation>nfs(5)、mount.cifs(8) 以及内核 Documentation/filesystems 中的 9p.rst</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no clear limit</source>
        <translation>无明确瓶颈</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>无差异</translation>
    </message>
    <message>
        <source>no load of the whole fits into {0:n} of memory</source>
        <translation>{0} 内存放不下整个模型的任何一种加载</translation>
    </message>
    <message>
        <source>no memory cgroup in sight</source>
        <translation>看不到内存 cgroup</translation>
    </message>
    <message>
        <source>no mount in sight</source>
        <translation>看不到挂载</translation>
    </message>
    <message>
        <source>no process in sight serves it</source>
        <translation>看不到提供它的进程</translation>
    </message>
    <message>
        <source>no round in common with {0}</source>
        <translation>与 {0} 没有共同的轮次</translation>
    </message>
    <message>
        <source>no round in common with {0}, and it is not simpler</source>
        <translation>与 {0} 没有共同的轮次，而且并不更简单</translation>
    </message>
    <message>
        <source>no run of it can be counted: {0}</source>
        <translation>它没有可以计入的运行：{0}</translation>
    </message>
    <message>
        <source>no run that counts</source>
        <translation>没有计入的运行</translation>
    </message>
    <message>
        <source>no sign of it, but this processor cannot tell</source>
        <translation>没有迹象，但此处理器无法判断</translation>
    </message>
    <message>
        <source>no sign of one</source>
        <translation>没有迹象</translation>
    </message>
    <message>
        <source>nobody in sight</source>
        <translation>未发现</translation>
    </message>
    <message>
        <source>none (version {0:n})</source>
        <translation>无（版本 {0}）</translation>
    </message>
    <message>
        <source>none of the last seven days; --probe takes a few seconds and reads the file</source>
        <translation>最近七天没有；--probe 需要几秒钟并会读取文件</translation>
    </message>
    <message>
        <source>not asked yet</source>
        <translation>尚未查询</translation>
    </message>
    <message>
        <source>not available: {0}</source>
        <translation>不可用：{0}</translation>
    </message>
    <message>
        <source>not measured: {0}</source>
        <translation>未测量：{0}</translation>
    </message>
    <message>
        <source>not on {0}</source>
        <translation>{0} 上不支持</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>未提供</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>nothing reads ahead of it</source>
        <translation>它没有预读</translation>
    </message>
    <message>
        <source>nothing stays cached: every load goes to the host</source>
        <translation>不保留缓存：每次加载都访问宿主机</translation>
    </message>
    <message>
        <source>nothing stays cached: every load goes to the server</source>
        <translation>不保留缓存：每次加载都访问服务器</translation>
    </message>
    <message>
        <source>number out of range</source>
        <translation>数字超出范围</translation>
    </message>
    <message>
        <source>numpy cannot represent {0}; torch can: choose a strategy that uses it</source>
        <translation>numpy 无法表示 {0}，而 torch 可以：请选择使用 torch 的策略</translation>
    </message>
    <message>
        <source>numpy cannot represent {0}; torch can: pip install torch</source>
        <translation>numpy 无法表示 {0}，而 torch 可以：pip install torch</translation>
    </message>
    <message>
        <source>object keys must be strings</source>
        <translation>对象的键必须是字符串</translation>
    </message>
    <message>
        <source>object store</source>
        <translation>对象存储</translation>
    </message>
    <message>
        <source>object store ({0})</source>
        <translation>对象存储（{0}）</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>of /{0}</source>
        <translation>位于 /{0}</translation>
    </message>
    <message>
        <source>of the CPU time</source>
        <translation>占 CPU 时间</translation>
    </message>
    <message>
        <source>of the CPU time {0:n}</source>
        <translation>占 CPU 时间 {0}</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>on a virtual machine the host decides what a disk says</source>
        <translation>在虚拟机上，磁盘如何自称由宿主机决定</translation>
    </message>
    <message>
        <source>on another disk</source>
        <translation>在另一块磁盘上</translation>
    </message>
    <message>
        <source>on another machine</source>
        <translation>在另一台机器上</translation>
    </message>
    <message>
        <source>on fibre-channel</source>
        <translation>接口 fibre-channel</translation>
    </message>
    <message>
        <source>on fibre-channel over {0}</source>
        <translation>接口 fibre-channel，经 {0}</translation>
    </message>
    <message>
        <source>on iscsi</source>
        <translation>接口 iscsi</translation>
    </message>
    <message>
        <source>on iscsi over {0}</source>
        <translation>接口 iscsi，经 {0}</translation>
    </message>
    <message>
        <source>on mmc</source>
        <translation>接口 mmc</translation>
    </message>
    <message>
        <source>on mmc over {0}</source>
        <translation>接口 mmc，经 {0}</translation>
    </message>
    <message>
        <source>on nvme</source>
        <translation>接口 nvme</translation>
    </message>
    <message>
        <source>on nvme over {0}</source>
        <translation>接口 nvme，经 {0}</translation>
    </message>
    <message>
        <source>on one virtual machine reads into huge pages were 2 to 6 times as fast</source>
        <translation>在某台虚拟机上，读入大页的速度是原来的 2 到 6 倍</translation>
    </message>
    <message>
        <source>on sas</source>
        <translation>接口 sas</translation>
    </message>
    <message>
        <source>on sas over {0}</source>
        <translation>接口 sas，经 {0}</translation>
    </message>
    <message>
        <source>on sata</source>
        <translation>接口 sata</translation>
    </message>
    <message>
        <source>on sata over {0}</source>
        <translation>接口 sata，经 {0}</translation>
    </message>
    <message>
        <source>on scsi</source>
        <translation>接口 scsi</translation>
    </message>
    <message>
        <source>on scsi over {0}</source>
        <translation>接口 scsi，经 {0}</translation>
    </message>
    <message>
        <source>on usb</source>
        <translation>接口 usb</translation>
    </message>
    <message>
        <source>on usb over {0}</source>
        <translation>接口 usb，经 {0}</translation>
    </message>
    <message>
        <source>on virtio</source>
        <translation>接口 virtio</translation>
    </message>
    <message>
        <source>on virtio over {0}</source>
        <translation>接口 virtio，经 {0}</translation>
    </message>
    <message>
        <source>on xen</source>
        <translation>接口 xen</translation>
    </message>
    <message>
        <source>on xen over {0}</source>
        <translation>接口 xen，经 {0}</translation>
    </message>
    <message>
        <source>one random read</source>
        <translation>一次随机读取</translation>
    </message>
    <message>
        <source>one random read {0:n}</source>
        <translation>一次随机读取 {0}</translation>
    </message>
    <message>
        <source>opening it for this look may have dropped more from the cache</source>
        <translation>为查看而打开它可能使更多内容移出缓存</translation>
    </message>
    <message>
        <source>others moved {0:n} during {1:n} of it: rates are too low</source>
        <translation>读取 {1} 期间其他程序读写了 {0}：速率偏低</translation>
    </message>
    <message>
        <source>others used the disk meanwhile; {0}</source>
        <translation>其间有其他程序使用磁盘；{0}</translation>
    </message>
    <message>
        <source>others used the disk, and the last one was taken without them.</source>
        <translation>有其他程序使用磁盘，而上一次测速时没有。</translation>
    </message>
    <message>
        <source>page cache</source>
        <translation>页缓存</translation>
    </message>
    <message>
        <source>page faults</source>
        <translation>缺页</translation>
    </message>
    <message>
        <source>pair {0:n} of at most {1:n}</source>
        <translation>第 {0} 对（最多 {1} 对）</translation>
    </message>
    <message>
        <source>pair {0:n} of {1:n}</source>
        <translation>第 {0} 对（共 {1} 对）</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>per-tensor overhead</source>
        <translation>逐张量开销</translation>
    </message>
    <message>
        <source>perhaps less: others used the disk</source>
        <translation>也许更短：有其他程序使用磁盘</translation>
    </message>
    <message>
        <source>places were read more than once, which caches may speed up</source>
        <translation>有些位置读取了不止一次，缓存可能使其加快</translation>
    </message>
    <message>
        <source>private memory {0}</source>
        <translation>私有内存 {0}</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>queue {0:n}</source>
        <translation>队列 {0}</translation>
    </message>
    <message>
        <source>race</source>
        <translation>寻找最佳</translation>
    </message>
    <message>
        <source>random 4 KiB {0:n}, at most {1:n}</source>
        <translation>随机 4 KiB {0}，最高 {1}</translation>
    </message>
    <message>
        <source>random 4 KiB {0:n}, at most {1:n}, many readers {2} times as fast as one</source>
        <translation>随机 4 KiB {0}，最高 {1}，多个读取器的速度是一个的 {2} 倍</translation>
    </message>
    <message>
        <source>random {0:n}: {1:n}, front to back {2:n}; {3:n} samples</source>
        <translation>随机 {0}：{1}，从头到尾 {2}；{3} 个样本</translation>
    </message>
    <message>
        <source>rank {0:n}/{1:n}</source>
        <translation>并行秩 {0}/{1}</translation>
    </message>
    <message>
        <source>read again</source>
        <translation>重读</translation>
    </message>
    <message>
        <source>read again {0:n}</source>
        <translation>重读 {0}</translation>
    </message>
    <message>
        <source>read more than once</source>
        <translation>重复读取</translation>
    </message>
    <message>
        <source>readahead {0:n}</source>
        <translation>预读 {0}</translation>
    </message>
    <message>
        <source>readahead: {0} → {1}</source>
        <translation>预读：{0} → {1}</translation>
    </message>
    <message>
        <source>reads bypass the page cache: there is no warm start</source>
        <translation>读取绕过页缓存：没有热启动</translation>
    </message>
    <message>
        <source>reads {0} again that memory had no room to keep</source>
        <translation>因内存放不下而重读了 {0}</translation>
    </message>
    <message>
        <source>reported as not rotating</source>
        <translation>自称为非旋转式</translation>
    </message>
    <message>
        <source>reported as not rotating (not to be believed: {0})</source>
        <translation>自称为非旋转式（不可信：{0}）</translation>
    </message>
    <message>
        <source>reported as rotating</source>
        <translation>自称为旋转式</translation>
    </message>
    <message>
        <source>reported as rotating (not to be believed: {0})</source>
        <translation>自称为旋转式（不可信：{0}）</translation>
    </message>
    <message>
        <source>requests up to {0:n}</source>
        <translation>请求最大 {0}</translation>
    </message>
    <message>
        <source>rotational, bus unknown</source>
        <translation>旋转式，总线未知</translation>
    </message>
    <message>
        <source>rotational, {0}</source>
        <translation>旋转式，{0}</translation>
    </message>
    <message>
        <source>round {0:n}, run {1:n} of {2:n}</source>
        <translation>第 {0} 轮，第 {1} 次运行（共 {2} 次）</translation>
    </message>
    <message>
        <source>rule of thumb</source>
        <translation>经验法则</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>run {0:n} of {1:n}</source>
        <translation>第 {0} 次运行（共 {1} 次）</translation>
    </message>
    <message>
        <source>runai-model-streamer 0.17 or newer is needed and this is {0}: update it.</source>
        <translation>需要 runai-model-streamer 0.17 或更新版本，而当前是 {0}：请更新。</translation>
    </message>
    <message>
        <source>safetensors/safetensors#562; sgl-project/sglang#37806 (Lustre: 28 MiB/s by page faults)</source>
        <translation>safetensors/safetensors#562；sgl-project/sglang#37806（Lustre：靠缺页读取时 28 MiB/s）</translation>
    </message>
    <message>
        <source>sched-bwc.rst in the kernel's Documentation/scheduler</source>
        <translation>内核 Documentation/scheduler 中的 sched-bwc.rst</translation>
    </message>
    <message>
        <source>scheduler {0}</source>
        <translation>调度器 {0}</translation>
    </message>
    <message>
        <source>several connections share the load</source>
        <translation>多个连接分担负载</translation>
    </message>
    <message>
        <source>shared memory {0}</source>
        <translation>共享内存 {0}</translation>
    </message>
    <message>
        <source>size, time of writing or inode differ from before</source>
        <translation>大小、写入时间或 inode 与之前不同</translation>
    </message>
    <message>
        <source>slowed for heat {0:n} times since boot</source>
        <translation>启动以来因过热降速 {0} 次</translation>
    </message>
    <message>
        <source>spends {0} µs on each of {1} tensors</source>
        <translation>在 {1} 个张量上各花 {0} µs</translation>
    </message>
    <message>
        <source>sshfs with 10 ms round trips: 21 MB/s by one reader, 77 MB/s by four</source>
        <translation>往返 10 ms 的 sshfs：一个读取器 21 MB/s，四个 77 MB/s</translation>
    </message>
    <message>
        <source>stalled for memory</source>
        <translation>因内存停顿</translation>
    </message>
    <message>
        <source>stalled for memory {0:n}</source>
        <translation>因内存停顿 {0}</translation>
    </message>
    <message>
        <source>start state neither cold nor warm</source>
        <translation>启动状态既非冷也非热</translation>
    </message>
    <message>
        <source>swapped in</source>
        <translation>换入</translation>
    </message>
    <message>
        <source>swapped in {0:n}</source>
        <translation>换入 {0}</translation>
    </message>
    <message>
        <source>swapped out</source>
        <translation>换出</translation>
    </message>
    <message>
        <source>swapped out {0:n}</source>
        <translation>换出 {0}</translation>
    </message>
    <message>
        <source>system CPU</source>
        <translation>系统态 CPU</translation>
    </message>
    <message>
        <source>system CPU {0:n}</source>
        <translation>系统态 CPU {0}</translation>
    </message>
    <message>
        <source>tasks waited for memory {0:n} of the time</source>
        <translation>任务等待内存的时间占 {0}</translation>
    </message>
    <message>
        <source>tensor {0}</source>
        <translation>张量 {0}</translation>
    </message>
    <message>
        <source>tensors {0:n}</source>
        <translation>张量 {0} 个</translation>
    </message>
    <message>
        <source>tensors {0}</source>
        <translation>张量 {0}</translation>
    </message>
    <message>
        <source>the array {0}</source>
        <translation>数组 {0}</translation>
    </message>
    <message>
        <source>the budget holds no five rounds of it: {0}</source>
        <translation>时间预算不够让它跑五轮：{0}</translation>
    </message>
    <message>
        <source>the budget holds no {0:n} loads of {1:n}</source>
        <translation>时间预算不够进行 {0} 次 {1} 的加载</translation>
    </message>
    <message>
        <source>the call is refused, as some containers do: {0}</source>
        <translation>调用被拒绝，某些容器会这样：{0}</translation>
    </message>
    <message>
        <source>the disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>the file belongs to another user</source>
        <translation>文件属于其他用户</translation>
    </message>
    <message>
        <source>the file cannot be opened: {0}</source>
        <translation>无法打开文件：{0}</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>the file is not open</source>
        <translation>文件未打开</translation>
    </message>
    <message>
        <source>the filesystem is {0}</source>
        <translation>文件系统为 {0}</translation>
    </message>
    <message>
        <source>the filesystem is {0}, from another machine or the host</source>
        <translation>文件系统为 {0}，来自另一台机器或宿主机</translation>
    </message>
    <message>
        <source>the filesystem is {0}, which fetches from an object store</source>
        <translation>文件系统为 {0}，它从对象存储获取数据</translation>
    </message>
    <message>
        <source>the folder {0} of it</source>
        <translation>其中的文件夹 {0}</translation>
    </message>
    <message>
        <source>the item type of {0}</source>
        <translation>{0} 的元素类型</translation>
    </message>
    <message>
        <source>the kernel controls no frequency here, as is usual on virtual ones</source>
        <translation>内核在此不控制频率，虚拟机上通常如此</translation>
    </message>
    <message>
        <source>the kernel counts no stalls (start it with psi=1)</source>
        <translation>内核不统计停顿（启动时加 psi=1）</translation>
    </message>
    <message>
        <source>the kernel does not name it</source>
        <translation>内核未提供名称</translation>
    </message>
    <message>
        <source>the kernel does not tell: {0}</source>
        <translation>内核不提供：{0}</translation>
    </message>
    <message>
        <source>the kernel is older than 6.5</source>
        <translation>内核早于 6.5</translation>
    </message>
    <message>
        <source>the kernel names no speed for it</source>
        <translation>内核未提供其速度</translation>
    </message>
    <message>
        <source>the kernel shows none</source>
        <translation>内核未显示任何设备</translation>
    </message>
    <message>
        <source>the layers are out of sight, as in a container</source>
        <translation>看不到各层，与在容器中一样</translation>
    </message>
    <message>
        <source>the length of {0}</source>
        <translation>{0} 的长度</translation>
    </message>
    <message>
        <source>the machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>the magic</source>
        <translation>魔数</translation>
    </message>
    <message>
        <source>the most that one read asks the cluster for</source>
        <translation>单次读取向集群请求的上限</translation>
    </message>
    <message>
        <source>the most that one read asks the host for</source>
        <translation>单次读取向宿主机请求的上限</translation>
    </message>
    <message>
        <source>the most that one read asks the server for</source>
        <translation>单次读取向服务器请求的上限</translation>
    </message>
    <message>
        <source>the most that one read asks the serving program for</source>
        <translation>单次读取向提供程序请求的上限</translation>
    </message>
    <message>
        <source>the mount</source>
        <translation>挂载点</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>the text of {0}</source>
        <translation>{0} 的文本</translation>
    </message>
    <message>
        <source>the type of {0}</source>
        <translation>{0} 的类型</translation>
    </message>
    <message>
        <source>the value of {0}</source>
        <translation>{0} 的值</translation>
    </message>
    <message>
        <source>there are no bytes to look at</source>
        <translation>没有可查看的数据</translation>
    </message>
    <message>
        <source>this kernel has no transparent huge pages</source>
        <translation>此内核没有透明大页</translation>
    </message>
    <message>
        <source>this process may use {0:n}</source>
        <translation>此进程可用 {0} 个</translation>
    </message>
    <message>
        <source>this processor or kernel does not count it</source>
        <translation>此处理器或内核不统计</translation>
    </message>
    <message>
        <source>this storage gave {0}</source>
        <translation>此存储给出 {0}</translation>
    </message>
    <message>
        <source>this storage gave {0} and was probed as {1}</source>
        <translation>此存储给出 {0}，测速判定为{1}</translation>
    </message>
    <message>
        <source>this system does not list its swap</source>
        <translation>此系统不列出交换空间</translation>
    </message>
    <message>
        <source>tight: {0}, with less room than the rule of thumb of 1.5 times the model</source>
        <translation>较紧张：{0}，余量少于经验法则的模型 1.5 倍</translation>
    </message>
    <message>
        <source>too little could be measured</source>
        <translation>能测到的太少</translation>
    </message>
    <message>
        <source>too little could be measured to tell</source>
        <translation>能测到的太少，无法判断</translation>
    </message>
    <message>
        <source>took {0:n}</source>
        <translation>用时 {0}</translation>
    </message>
    <message>
        <source>took {0:n} times as long as {1} ({2}, {3})</source>
        <translation>用时为 {1} 的 {0} 倍（{2}，{3}）</translation>
    </message>
    <message>
        <source>took {0:n} times as long as {1} ({2}: {3}, {4})</source>
        <translation>用时为 {1} 的 {0} 倍（{2} 区间：{3}，{4}）</translation>
    </message>
    <message>
        <source>took {0:n} times as long as {1} in {2}</source>
        <translation>{2}中用时为 {1} 的 {0} 倍</translation>
    </message>
    <message>
        <source>took {0:n} times as long as {1} in {2}, and it is not simpler</source>
        <translation>{2}中用时为 {1} 的 {0} 倍，而且并不更简单</translation>
    </message>
    <message>
        <source>took {0:n}; what for is not to be seen here</source>
        <translation>用时 {0}；时间花在哪里，这里看不到</translation>
    </message>
    <message>
        <source>trailing characters</source>
        <translation>多余的字符</translation>
    </message>
    <message>
        <source>trailing comma in array</source>
        <translation>数组中有多余的逗号</translation>
    </message>
    <message>
        <source>trailing comma in object</source>
        <translation>对象中有多余的逗号</translation>
    </message>
    <message>
        <source>undecided</source>
        <translation>无法判定</translation>
    </message>
    <message>
        <source>unexpected end of data</source>
        <translation>数据意外结束</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>unknown ({0})</source>
        <translation>未知（{0}）</translation>
    </message>
    <message>
        <source>unknown: {0}</source>
        <translation>未知：{0}</translation>
    </message>
    <message>
        <source>unplugged</source>
        <translation>未接电源</translation>
    </message>
    <message>
        <source>up to {0:n}</source>
        <translation>最高 {0}</translation>
    </message>
    <message>
        <source>user CPU</source>
        <translation>用户态 CPU</translation>
    </message>
    <message>
        <source>user CPU {0:n}</source>
        <translation>用户态 CPU {0}</translation>
    </message>
    <message>
        <source>waits for answers {0} of the time: it asks in random order</source>
        <translation>有 {0} 的时间在等待应答：请求的顺序是随机的</translation>
    </message>
    <message>
        <source>waits for answers {0} of the time: it gets {1} of what the device can</source>
        <translation>有 {0} 的时间在等待应答：只得到设备能力的 {1}</translation>
    </message>
    <message>
        <source>waits for answers {0} of the time: the device is asked for {1} at a time</source>
        <translation>有 {0} 的时间在等待应答：每次只向设备请求 {1}</translation>
    </message>
    <message>
        <source>waits for free memory {0} of the time</source>
        <translation>有 {0} 的时间在等待空闲内存</translation>
    </message>
    <message>
        <source>waits for {0} only {1:n} of the time</source>
        <translation>只有 {1} 的时间在等待{0}</translation>
    </message>
    <message>
        <source>waits for {0} {1:n} of the time and gets {2}, while the device itself rests: something in between holds requests back</source>
        <translation>有 {1} 的时间在等待{0}，只得到 {2}，而设备本身却空闲：中间有东西拦住了请求</translation>
    </message>
    <message>
        <source>waits for {0} {1:n} of the time, for its bandwidth or for its answers</source>
        <translation>有 {1} 的时间在等待{0}，等的是带宽或应答</translation>
    </message>
    <message>
        <source>waits for {0} {1:n} of the time, which delivers {2}</source>
        <translation>有 {1} 的时间在等待{0}，其速率为 {2}</translation>
    </message>
    <message>
        <source>warm starts of the best</source>
        <translation>最佳者的热启动</translation>
    </message>
    <message>
        <source>was stopped by signal {0:n}</source>
        <translation>被信号 {0} 终止</translation>
    </message>
    <message>
        <source>whether files may lie in huge pages</source>
        <translation>文件是否可以使用大页</translation>
    </message>
    <message>
        <source>with another model in this place</source>
        <translation>以此处的另一个模型</translation>
    </message>
    <message>
        <source>with the command {0} before each</source>
        <translation>每次都先执行了命令 {0}</translation>
    </message>
    <message>
        <source>without a command before them</source>
        <translation>之前没有执行命令</translation>
    </message>
    <message>
        <source>works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>zram holds {0:n} in {1:n}</source>
        <translation>zram 以 {1} 存有 {0}</translation>
    </message>
    <message>
        <source>zswap on ({0})</source>
        <translation>zswap 已启用（{0}）</translation>
    </message>
    <message>
        <source>zswap on ({0}, holds {1:n})</source>
        <translation>zswap 已启用（{0}，存有 {1}）</translation>
    </message>
    <message>
        <source>{0:n} (version {1:n})</source>
        <translation>{0}（版本 {1}）</translation>
    </message>
    <message>
        <source>{0:n} ({1:n} a MB)</source>
        <translation>{0}（每 MB {1}）</translation>
    </message>
    <message>
        <source>{0:n} GT/s × {1:n} lanes</source>
        <translation>{0} GT/s × {1} 通道</translation>
    </message>
    <message>
        <source>{0:n} GT/s × {1:n} lanes ({2:n}) of possible {3}</source>
        <translation>{0} GT/s × {1} 通道（{2}），可达 {3}</translation>
    </message>
    <message>
        <source>{0:n} GT/s × {1:n} lanes ({2})</source>
        <translation>{0} GT/s × {1} 通道（{2}）</translation>
    </message>
    <message>
        <source>{0:n} NUMA node</source>
        <translation>{0} 个 NUMA 节点</translation>
    </message>
    <message>
        <source>{0:n} NUMA nodes</source>
        <translation>{0} 个 NUMA 节点</translation>
    </message>
    <message>
        <source>{0:n} against {1:n}</source>
        <translation>{0} 对 {1}</translation>
    </message>
    <message>
        <source>{0:n} ago</source>
        <translation>{0} 前</translation>
    </message>
    <message>
        <source>{0:n} ago of {1}, in {2:n}</source>
        <translation>{0} 前，{1}，用时 {2}</translation>
    </message>
    <message>
        <source>{0:n} ahead</source>
        <translation>快进 {0}</translation>
    </message>
    <message>
        <source>{0:n} at the first touch</source>
        <translation>首次触碰时 {0}</translation>
    </message>
    <message>
        <source>{0:n} back</source>
        <translation>倒退 {0}</translation>
    </message>
    <message>
        <source>{0:n} busy</source>
        <translation>忙碌 {0}</translation>
    </message>
    <message>
        <source>{0:n} busy, reads {1:n}, while modelmon did nothing</source>
        <translation>modelmon 空闲时，忙碌 {0}，读取 {1}</translation>
    </message>
    <message>
        <source>{0:n} busy, reads {1:n}, writes {2:n}, while modelmon did nothing</source>
        <translation>modelmon 空闲时，忙碌 {0}，读取 {1}，写入 {2}</translation>
    </message>
    <message>
        <source>{0:n} came from storage</source>
        <translation>{0} 来自存储</translation>
    </message>
    <message>
        <source>{0:n} came from storage.</source>
        <translation>{0} 来自存储。</translation>
    </message>
    <message>
        <source>{0:n} cold</source>
        <translation>冷启动 {0}</translation>
    </message>
    <message>
        <source>{0:n} connection</source>
        <translation>{0} 个连接</translation>
    </message>
    <message>
        <source>{0:n} connections</source>
        <translation>{0} 个连接</translation>
    </message>
    <message>
        <source>{0:n} cores</source>
        <translation>{0} 个核心</translation>
    </message>
    <message>
        <source>{0:n} dropped</source>
        <translation>丢弃 {0} 个</translation>
    </message>
    <message>
        <source>{0:n} during the load, beside its own</source>
        <translation>加载期间除自身外还有 {0}</translation>
    </message>
    <message>
        <source>{0:n} for {1:n}</source>
        <translation>每 {1} 用时 {0}</translation>
    </message>
    <message>
        <source>{0:n} from memory</source>
        <translation>从内存读取 {0}</translation>
    </message>
    <message>
        <source>{0:n} from memory.</source>
        <translation>从内存读取 {0}。</translation>
    </message>
    <message>
        <source>{0:n} in and {1:n} out in {2:n}</source>
        <translation>{2} 内换入 {0}，换出 {1}</translation>
    </message>
    <message>
        <source>{0:n} in use without cached files</source>
        <translation>已用 {0}（不含缓存的文件）</translation>
    </message>
    <message>
        <source>{0:n} in {1:n} files</source>
        <translation>{0}，共 {1} 个文件</translation>
    </message>
    <message>
        <source>{0:n} in {1:n} on average</source>
        <translation>平均 {1} 读取 {0}</translation>
    </message>
    <message>
        <source>{0:n} in, {1:n} out</source>
        <translation>换入 {0}，换出 {1}</translation>
    </message>
    <message>
        <source>{0:n} instead of {1:n}.</source>
        <translation>{0}，而不是 {1}。</translation>
    </message>
    <message>
        <source>{0:n} into fresh pages, {1:n} into pages in use (medians, one thread)</source>
        <translation>写入新页 {0}，写入使用中的页 {1}（中位数，单线程）</translation>
    </message>
    <message>
        <source>{0:n} just before the start</source>
        <translation>开始前一刻 {0}</translation>
    </message>
    <message>
        <source>{0:n} late</source>
        <translation>晚到 {0}</translation>
    </message>
    <message>
        <source>{0:n} logical</source>
        <translation>{0} 个逻辑处理器</translation>
    </message>
    <message>
        <source>{0:n} median of {1:n}</source>
        <translation>{1} 次的中位数 {0}</translation>
    </message>
    <message>
        <source>{0:n} of A</source>
        <translation>A {0} 个</translation>
    </message>
    <message>
        <source>{0:n} of B</source>
        <translation>B {0} 个</translation>
    </message>
    <message>
        <source>{0:n} of files, {1:n} left under the cgroup's limit</source>
        <translation>文件 {0}，cgroup 限制内剩余 {1}</translation>
    </message>
    <message>
        <source>{0:n} of files, {1:n} of RAM available</source>
        <translation>文件 {0}，可用内存 {1}</translation>
    </message>
    <message>
        <source>{0:n} of it was still cached at the end</source>
        <translation>结束时仍有 {0} 在缓存中</translation>
    </message>
    <message>
        <source>{0:n} of its bytes are on the disk</source>
        <translation>其 {0} 的字节在磁盘上</translation>
    </message>
    <message>
        <source>{0:n} of the bytes were cached</source>
        <translation>{0} 的数据已缓存</translation>
    </message>
    <message>
        <source>{0:n} of the bytes were cached, {1:n} came from storage.</source>
        <translation>{0} 的数据已缓存，{1} 来自存储。</translation>
    </message>
    <message>
        <source>{0:n} of the bytes were cached.</source>
        <translation>{0} 的数据已缓存。</translation>
    </message>
    <message>
        <source>{0:n} of the bytes, known by {1}</source>
        <translation>占数据的 {0}，由 {1} 得知</translation>
    </message>
    <message>
        <source>{0:n} of the cgroup's {1:n} were in use</source>
        <translation>cgroup 的 {1} 中已用 {0}</translation>
    </message>
    <message>
        <source>{0:n} of the time now (PSI)</source>
        <translation>当前占时间的 {0}（PSI）</translation>
    </message>
    <message>
        <source>{0:n} of them are still to be written</source>
        <translation>其中 {0} 页尚待写回</translation>
    </message>
    <message>
        <source>{0:n} of {1:n}</source>
        <translation>{0}，共 {1}</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} RAM, {2:n} in use</source>
        <translation>限制 {0}，内存共 {1}，已用 {2}</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} available</source>
        <translation>可用 {0}，共 {1}</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} of RAM</source>
        <translation>需要 {0}，可用内存 {1}</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} under the cgroup's limit</source>
        <translation>需要 {0}，cgroup 限制内可用 {1}</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} used</source>
        <translation>已用 {0}，共 {1}</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} ways were not tried</source>
        <translation>{1} 种方式中有 {0} 种未尝试</translation>
    </message>
    <message>
        <source>{0:n} of {1:n} were left</source>
        <translation>剩余 {0}，共 {1}</translation>
    </message>
    <message>
        <source>{0:n} past the page cache</source>
        <translation>绕过页缓存读取 {0}</translation>
    </message>
    <message>
        <source>{0:n} past the page cache.</source>
        <translation>绕过页缓存读取 {0}。</translation>
    </message>
    <message>
        <source>{0:n} read, {1:n} possible by how the device is attached</source>
        <translation>读取达 {0}，而按设备的连接方式最高为 {1}</translation>
    </message>
    <message>
        <source>{0:n} readers</source>
        <translation>{0} 个读取器</translation>
    </message>
    <message>
        <source>{0:n} readers at once are slower here than one.</source>
        <translation>在此处，{0} 个读取器同时读取比一个还慢。</translation>
    </message>
    <message>
        <source>{0:n} readers at once get {1} times the rate of one.</source>
        <translation>{0} 个读取器同时读取的速率是一个的 {1} 倍。</translation>
    </message>
    <message>
        <source>{0:n} reads since mounted</source>
        <translation>挂载以来读取 {0} 次</translation>
    </message>
    <message>
        <source>{0:n} reads/s</source>
        <translation>每秒 {0} 次读取</translation>
    </message>
    <message>
        <source>{0:n} rounds</source>
        <translation>{0} 轮</translation>
    </message>
    <message>
        <source>{0:n} runs</source>
        <translation>{0} 次运行</translation>
    </message>
    <message>
        <source>{0:n} samples</source>
        <translation>{0} 个样本</translation>
    </message>
    <message>
        <source>{0:n} samples were dropped, since they were not read in time.</source>
        <translation>{0} 个样本因未及时读取而被丢弃。</translation>
    </message>
    <message>
        <source>{0:n} thermal throttle events</source>
        <translation>{0} 次过热降频</translation>
    </message>
    <message>
        <source>{0:n} through the page cache, where nothing was cached</source>
        <translation>经过页缓存读取 {0}（读处均未缓存）</translation>
    </message>
    <message>
        <source>{0:n} through the page cache, where nothing was cached.</source>
        <translation>经过页缓存读取 {0}（读处均未缓存）。</translation>
    </message>
    <message>
        <source>{0:n} times in {1:n}</source>
        <translation>{1} 内 {0} 次</translation>
    </message>
    <message>
        <source>{0:n} warm</source>
        <translation>热启动 {0}</translation>
    </message>
    <message>
        <source>{0:n} warm and mapped</source>
        <translation>热启动且映射 {0}</translation>
    </message>
    <message>
        <source>{0:n} warm starts with {1}</source>
        <translation>用 {1} 热启动 {0} 次</translation>
    </message>
    <message>
        <source>{0:n} were read again</source>
        <translation>{0} 被重新读取</translation>
    </message>
    <message>
        <source>{0:n} would go to swap</source>
        <translation>{0} 会进入交换空间</translation>
    </message>
    <message>
        <source>{0:n} writes/s</source>
        <translation>每秒 {0} 次写入</translation>
    </message>
    <message>
        <source>{0:n} written just before the start</source>
        <translation>开始前一刻写入 {0}</translation>
    </message>
    <message>
        <source>{0:n}, where the probe found {1:n} at best</source>
        <translation>{0}，而磁盘测速测得最高 {1}</translation>
    </message>
    <message>
        <source>{0:n}, {1:n} of the time</source>
        <translation>{0}，占时间的 {1}</translation>
    </message>
    <message>
        <source>{0:n}-{1:n}</source>
        <translation>{0}-{1}</translation>
    </message>
    <message>
        <source>{0:n}: {1:n}-{2:n}</source>
        <translation>{0} 区间：{1}-{2}</translation>
    </message>
    <message>
        <source>{0:n}; four lanes of PCIe 5.0 carry 15.8 GB/s</source>
        <translation>{0}；PCIe 5.0 四通道最高 15.8 GB/s</translation>
    </message>
    <message>
        <source>{0}  PCIe link</source>
        <translation>{0}  PCIe 链路</translation>
    </message>
    <message>
        <source>{0} (driver {1})</source>
        <translation>{0}（驱动 {1}）</translation>
    </message>
    <message>
        <source>{0} (file)</source>
        <translation>{0}（文件）</translation>
    </message>
    <message>
        <source>{0} (partition)</source>
        <translation>{0}（分区）</translation>
    </message>
    <message>
        <source>{0} (process {1:n})</source>
        <translation>{0}（进程 {1}）</translation>
    </message>
    <message>
        <source>{0} (process {1:n}) has it mapped</source>
        <translation>{0}（进程 {1}）映射了它</translation>
    </message>
    <message>
        <source>{0} (process {1:n}) has it open</source>
        <translation>{0}（进程 {1}）打开了它</translation>
    </message>
    <message>
        <source>{0} ({1:n}, mapped)</source>
        <translation>{0}（{1}，已映射）</translation>
    </message>
    <message>
        <source>{0} ({1:n}, open)</source>
        <translation>{0}（{1}，已打开）</translation>
    </message>
    <message>
        <source>{0} Mbit/s, which is {1:n} at most</source>
        <translation>{0} Mbit/s，即最高 {1}</translation>
    </message>
    <message>
        <source>{0} and {1:n} more of the model's {2:n} files is missing.</source>
        <translation>缺少 {0} 和另外 {1} 个文件（模型共 {2} 个文件）。</translation>
    </message>
    <message>
        <source>{0} and {1} and {2} are not installed: pip install {3}</source>
        <translation>未安装 {0}、{1} 和 {2}：pip install {3}</translation>
    </message>
    <message>
        <source>{0} and {1} are not installed: pip install {2}</source>
        <translation>未安装 {0} 和 {1}：pip install {2}</translation>
    </message>
    <message>
        <source>{0} are not installed: pip install {1}</source>
        <translation>未安装 {0}：pip install {1}</translation>
    </message>
    <message>
        <source>{0} came after the last event.</source>
        <translation>{0} 出现在最后一个事件之后。</translation>
    </message>
    <message>
        <source>{0} came while the run was {1}.</source>
        <translation>{0} 出现时运行处于 {1} 状态。</translation>
    </message>
    <message>
        <source>{0} cannot be decoded: {1}.</source>
        <translation>{0} 无法解码：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be opened: {1}.</source>
        <translation>无法打开 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be read at byte {1:n}: {2}.</source>
        <translation>{0} 在第 {1} 字节处无法读取：{2}。</translation>
    </message>
    <message>
        <source>{0} cannot be read: {1}.</source>
        <translation>{0} 无法读取：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be written: permission denied.</source>
        <translation>无法写入 {0}：没有权限。</translation>
    </message>
    <message>
        <source>{0} cannot be written: there is no such folder.</source>
        <translation>无法写入 {0}：没有这个文件夹。</translation>
    </message>
    <message>
        <source>{0} cannot be written: {1}.</source>
        <translation>{0} 无法写入：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be {1}.</source>
        <translation>{0} 不能是 {1}。</translation>
    </message>
    <message>
        <source>{0} cannot represent {1} here.</source>
        <translation>{0} 在这里无法表示 {1}。</translation>
    </message>
    <message>
        <source>{0} cannot say whether it works: {1}: {2}.</source>
        <translation>{0} 无法说明能否工作：{1}: {2}。</translation>
    </message>
    <message>
        <source>{0} changed: it has {1:n} bytes, not {2:n} as when it was opened.</source>
        <translation>{0} 已改变：现在有 {1} 字节，而打开时是 {2} 字节。</translation>
    </message>
    <message>
        <source>{0} could not be imported: {1}.</source>
        <translation>{0} 无法导入：{1}。</translation>
    </message>
    <message>
        <source>{0} could not load the model: {1}.</source>
        <translation>{0} 无法加载模型：{1}。</translation>
    </message>
    <message>
        <source>{0} decides for itself: {1} cannot be chosen.</source>
        <translation>{0} 自行决定：{1} 不能选择。</translation>
    </message>
    <message>
        <source>{0} delivered {1:n} bytes as tensor {2}; wanted were the {3:n} bytes of {4}.</source>
        <translation>{0} 以张量 {2} 交付了 {1} 字节；需要的是 {4} 的 {3} 字节。</translation>
    </message>
    <message>
        <source>{0} does not answer: the probe was given up in the phase {1}.</source>
        <translation>{0} 没有响应：磁盘测速在阶段 {1} 中止。</translation>
    </message>
    <message>
        <source>{0} does not start: {1}.</source>
        <translation>{0} 无法启动：{1}。</translation>
    </message>
    <message>
        <source>{0} each, cache state not seen</source>
        <translation>各 {0}，看不到缓存状态</translation>
    </message>
    <message>
        <source>{0} each, inside the noise</source>
        <translation>各 {0}，在噪声之内</translation>
    </message>
    <message>
        <source>{0} each, interleaved, all as asked</source>
        <translation>各 {0}，交错进行，全部符合要求</translation>
    </message>
    <message>
        <source>{0} each, {1:n} discarded</source>
        <translation>各 {0}，其中 {1} 次被丢弃</translation>
    </message>
    <message>
        <source>{0} each; {1:n} are needed for an interval</source>
        <translation>各 {0}；要得到区间需要 {1} 次</translation>
    </message>
    <message>
        <source>{0} ended at byte {1:n} while its header was read: another program is changing it.</source>
        <translation>读取文件头时 {0} 在第 {1} 字节处结束：另一个程序正在修改它。</translation>
    </message>
    <message>
        <source>{0} ended before it delivered tensor {1}.</source>
        <translation>{0} 在交付张量 {1} 之前就结束了。</translation>
    </message>
    <message>
        <source>{0} ends at byte {1:n}; more was expected.</source>
        <translation>{0} 在第 {1} 字节处结束，而本应还有内容。</translation>
    </message>
    <message>
        <source>{0} exists already.</source>
        <translation>{0} 已存在。</translation>
    </message>
    <message>
        <source>{0} fetches the file from an object store; every seek may be a new request.</source>
        <translation>{0} 从对象存储获取该文件；每次定位都可能是一个新请求。</translation>
    </message>
    <message>
        <source>{0} fetches the file from another machine.</source>
        <translation>{0} 从另一台机器获取该文件。</translation>
    </message>
    <message>
        <source>{0} gives no answer.</source>
        <translation>{0} 没有响应。</translation>
    </message>
    <message>
        <source>{0} gives tensors, so it cannot be streamed.</source>
        <translation>{0} 给出的是张量，所以不能流式交付。</translation>
    </message>
    <message>
        <source>{0} has an empty pattern.</source>
        <translation>{0} 中有空的模式。</translation>
    </message>
    <message>
        <source>{0} has no block {1}.</source>
        <translation>{0} 中没有块 {1}。</translation>
    </message>
    <message>
        <source>{0} has no such call</source>
        <translation>{0} 没有这个调用</translation>
    </message>
    <message>
        <source>{0} has no table [{1}].</source>
        <translation>{0} 中没有表 [{1}]。</translation>
    </message>
    <message>
        <source>{0} has no tensor with any bytes: there is nothing to load.</source>
        <translation>{0} 中没有含数据的张量：没有可加载的内容。</translation>
    </message>
    <message>
        <source>{0} has no tensor {1}.</source>
        <translation>{0} 中没有张量 {1}。</translation>
    </message>
    <message>
        <source>{0} has schema {1:n}; this version reads schema {2:n}.</source>
        <translation>{0} 的模式版本是 {1}；此版本读取 {2}。</translation>
    </message>
    <message>
        <source>{0} has schema {1:n}; this version reads {2:n}.</source>
        <translation>{0} 的模式版本是 {1}；此版本读取 {2}。</translation>
    </message>
    <message>
        <source>{0} holds PyTorch pickle files only.</source>
        <translation>{0} 中只有 PyTorch pickle 文件。</translation>
    </message>
    <message>
        <source>{0} holds more than weights, which would be lost.</source>
        <translation>{0} 中除权重外还有其他内容，会因此丢失。</translation>
    </message>
    <message>
        <source>{0} holds no .safetensors or .gguf file.</source>
        <translation>{0} 中没有 .safetensors 或 .gguf 文件。</translation>
    </message>
    <message>
        <source>{0} holds no finished load: {1}</source>
        <translation>{0} 中没有完成的加载：{1}</translation>
    </message>
    <message>
        <source>{0} holds no tensors, so there is nothing to load.</source>
        <translation>{0} 中没有张量，所以没有可加载的内容。</translation>
    </message>
    <message>
        <source>{0} holds no weights itself, but these folders in it do: {1}.</source>
        <translation>{0} 本身没有权重文件，但其中这些文件夹有：{1}。</translation>
    </message>
    <message>
        <source>{0} holds {1:n} models: {2}.</source>
        <translation>{0} 中有 {1} 个模型：{2}。</translation>
    </message>
    <message>
        <source>{0} is a baseline to measure against.</source>
        <translation>{0} 是用于比较的基准。</translation>
    </message>
    <message>
        <source>{0} is a file: what is read is cached both of it and of its image.</source>
        <translation>{0} 是一个文件：读到的内容既会作为它自身缓存，也会作为其映像文件缓存。</translation>
    </message>
    <message>
        <source>{0} is a folder.</source>
        <translation>{0} 是文件夹。</translation>
    </message>
    <message>
        <source>{0} is a hard disk: every jump to another place costs milliseconds.</source>
        <translation>{0} 是机械硬盘：每次跳到别处读取都要花费数毫秒。</translation>
    </message>
    <message>
        <source>{0} is a link to {1}, which does not exist.</source>
        <translation>{0} 是指向 {1} 的链接，而后者不存在。</translation>
    </message>
    <message>
        <source>{0} is a model file.</source>
        <translation>{0} 是模型文件。</translation>
    </message>
    <message>
        <source>{0} is in the history already, as run {1:n}.</source>
        <translation>{0} 已在历史中，即运行 {1}。</translation>
    </message>
    <message>
        <source>{0} is in the history already, as run {1}.</source>
        <translation>{0} 已在历史中，为运行 {1}。</translation>
    </message>
    <message>
        <source>{0} is in use: {1}.</source>
        <translation>{0} 正在使用中：{1}。</translation>
    </message>
    <message>
        <source>{0} is never</source>
        <translation>{0} 为 never</translation>
    </message>
    <message>
        <source>{0} is no experiment.</source>
        <translation>{0} 不是实验。</translation>
    </message>
    <message>
        <source>{0} is no file and holds no model.</source>
        <translation>{0} 不是文件，也不含模型。</translation>
    </message>
    <message>
        <source>{0} is not TOML: {1}.</source>
        <translation>{0} 不是 TOML：{1}。</translation>
    </message>
    <message>
        <source>{0} is not a file.</source>
        <translation>{0} 不是文件。</translation>
    </message>
    <message>
        <source>{0} is not a recording of this version: line {1}: {2}</source>
        <translation>{0} 不是此版本的记录：第 {1} 行：{2}</translation>
    </message>
    <message>
        <source>{0} is not a recording.</source>
        <translation>{0} 不是记录文件。</translation>
    </message>
    <message>
        <source>{0} is not a regular file.</source>
        <translation>{0} 不是普通文件。</translation>
    </message>
    <message>
        <source>{0} is not a saved comparison: {1}.</source>
        <translation>{0} 不是已保存的对比：{1}。</translation>
    </message>
    <message>
        <source>{0} is not a saved race: {1}.</source>
        <translation>{0} 不是已保存的寻优结果：{1}。</translation>
    </message>
    <message>
        <source>{0} is not a size.</source>
        <translation>{0} 不是大小。</translation>
    </message>
    <message>
        <source>{0} is not installed.</source>
        <translation>{0} 未安装。</translation>
    </message>
    <message>
        <source>{0} is not installed: pip install {1}</source>
        <translation>未安装 {0}：pip install {1}</translation>
    </message>
    <message>
        <source>{0} is not there.</source>
        <translation>{0} 不存在。</translation>
    </message>
    <message>
        <source>{0} is told to bypass the page cache: every load fetches everything.</source>
        <translation>{0} 被设为绕过页缓存：每次加载都会重新获取全部内容。</translation>
    </message>
    <message>
        <source>{0} is {1}, which loads by itself: there is nothing to store.</source>
        <translation>{0} 是 {1}，它自行加载：没有可保存的内容。</translation>
    </message>
    <message>
        <source>{0} leads so far: {1} for a first start, but too few runs to rank.</source>
        <translation>{0} 目前领先：首次启动 {1}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>{0} leads so far: {1} for a first start, holding {2}, but too few runs to rank.</source>
        <translation>{0} 目前领先：首次启动 {1}，占用 {2}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>{0} leads so far: {1} for a restart, but too few runs to rank.</source>
        <translation>{0} 目前领先：再次启动 {1}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>{0} leads so far: {1} for a restart, holding {2}, but too few runs to rank.</source>
        <translation>{0} 目前领先：再次启动 {1}，占用 {2}，但运行次数太少，无法排名。</translation>
    </message>
    <message>
        <source>{0} loads whole tensors.</source>
        <translation>{0} 加载完整的张量。</translation>
    </message>
    <message>
        <source>{0} loads {1} files, not {2}.</source>
        <translation>{0} 加载 {1} 文件，而不是 {2}。</translation>
    </message>
    <message>
        <source>{0} loads {1} times as fast as {2} ({3:n}: {4}).</source>
        <translation>{0} 的加载速度是 {2} 的 {1} 倍（{3} 区间：{4}）。</translation>
    </message>
    <message>
        <source>{0} loads {1} times as fast as {2} ({3:n}: {4}): {5} instead of {6}.</source>
        <translation>{0} 的加载速度是 {2} 的 {1} 倍（{3} 区间：{4}）：{5}，而不是 {6}。</translation>
    </message>
    <message>
        <source>{0} names tensor {1} and {2:n} more, which no shard has.</source>
        <translation>{0} 中列有张量 {1} 和另外 {2} 个，但没有分片包含它们。</translation>
    </message>
    <message>
        <source>{0} names tensor {1}, which no shard has.</source>
        <translation>{0} 中列有张量 {1}，但没有分片包含它。</translation>
    </message>
    <message>
        <source>{0} of it, but something else cost time in {1:n} of {2:n} runs</source>
        <translation>{0}，但 {2} 次运行中有 {1} 次被其他事情耽误</translation>
    </message>
    <message>
        <source>{0} of it, but the race was not over</source>
        <translation>{0}，但寻找最佳尚未完成</translation>
    </message>
    <message>
        <source>{0} of it, in turns with the others, all as asked</source>
        <translation>{0}，与其他方式轮流进行，全部符合要求</translation>
    </message>
    <message>
        <source>{0} of it, on a part of the model: {1}</source>
        <translation>{0}，只用了模型的一部分：{1}</translation>
    </message>
    <message>
        <source>{0} of it, {1:n} discarded</source>
        <translation>{0}，另有 {1} 次被丢弃</translation>
    </message>
    <message>
        <source>{0} of it; that it beats {1} rests on too few for an interval</source>
        <translation>{0}；它胜过 {1} 的依据太少，得不出区间</translation>
    </message>
    <message>
        <source>{0} of it; whether they started cold was not seen</source>
        <translation>{0}；看不到是否为冷启动</translation>
    </message>
    <message>
        <source>{0} of it; whether they started warm was not seen</source>
        <translation>{0}；看不到是否为热启动</translation>
    </message>
    <message>
        <source>{0} of it; {1:n} are needed for an interval</source>
        <translation>{0}；要得到区间需要 {1} 次</translation>
    </message>
    <message>
        <source>{0} of the model's {1:n} files is missing.</source>
        <translation>缺少 {0}（模型共 {1} 个文件）。</translation>
    </message>
    <message>
        <source>{0} of the package {1} cannot be used: {2}.</source>
        <translation>软件包 {1} 的 {0} 无法使用：{2}。</translation>
    </message>
    <message>
        <source>{0} on /{1}</source>
        <translation>{0}，挂载于 /{1}</translation>
    </message>
    <message>
        <source>{0} on /{1} from {2}</source>
        <translation>{0}，挂载于 /{1}，来自 {2}</translation>
    </message>
    <message>
        <source>{0} reads its files whole, whatever is asked of them.</source>
        <translation>无论请求什么，{0} 都会读取整个文件。</translation>
    </message>
    <message>
        <source>{0} refuses: {1}</source>
        <translation>{0} 拒绝：{1}</translation>
    </message>
    <message>
        <source>{0} runs at the speed of USB 2 or below.</source>
        <translation>{0} 以 USB 2 或更低的速度运行。</translation>
    </message>
    <message>
        <source>{0} took {1:n} times as long ({2}), but a simpler one may be as fast as that, and none between was decided.</source>
        <translation>{0} 用时为 {1} 倍（{2}），但更简单的策略可能与它一样快，而两者之间尚无定论。</translation>
    </message>
    <message>
        <source>{0} took {1:n} times as long ({2}): inside the noise, and this one is simpler, for {3}.</source>
        <translation>{0} 用时为 {1} 倍（{2}）：在噪声之内，而推荐的更简单，因为{3}。</translation>
    </message>
    <message>
        <source>{0} took {1:n} times as long ({2}): inside the noise.</source>
        <translation>{0} 用时为 {1} 倍（{2}）：在噪声之内。</translation>
    </message>
    <message>
        <source>{0} was changed from {1:n} to {2:n} bytes</source>
        <translation>{0} 从 {1} 字节变为 {2} 字节</translation>
    </message>
    <message>
        <source>{0} was measured with {1}, not with {2} as it is now; another strategy may be faster here.</source>
        <translation>{0} 是用 {1} 测得的，而不是当前的 {2}；在这里其他策略可能更快。</translation>
    </message>
    <message>
        <source>{0} was removed</source>
        <translation>{0} 被删除</translation>
    </message>
    <message>
        <source>{0} was replaced</source>
        <translation>{0} 被替换</translation>
    </message>
    <message>
        <source>{0} was written to</source>
        <translation>{0} 被写入</translation>
    </message>
    <message>
        <source>{0} {1:n} times as fast</source>
        <translation>{0} 的速度是 {1} 倍</translation>
    </message>
    <message>
        <source>{0}, so access cannot be direct here.</source>
        <translation>{0}，因此此处不能使用 access direct。</translation>
    </message>
    <message>
        <source>{0}, table [load]: {1}</source>
        <translation>{0}，表 [load]：{1}</translation>
    </message>
    <message>
        <source>{0}, {1:n} at the most</source>
        <translation>{0}，最高 {1}</translation>
    </message>
    <message>
        <source>{0}, {1:n} at the most; others moved {2:n} while the probe read {3:n}</source>
        <translation>{0}，最高 {1}；磁盘测速读取 {3} 期间，其他程序读写了 {2}</translation>
    </message>
    <message>
        <source>{0}: 113 s in WSL against 7 s in Windows</source>
        <translation>{0}：在 WSL 中 113 s，在 Windows 中 7 s</translation>
    </message>
    <message>
        <source>{0}: GGUF version is {1:n}; versions 2 and 3 can be read.</source>
        <translation>{0}：GGUF 版本是 {1}；可以读取版本 2 和 3。</translation>
    </message>
    <message>
        <source>{0}: a 7.2 GB model from gcsfuse in 16 minutes with mmap, in under one without</source>
        <translation>{0}：通过 gcsfuse 加载 7.2 GB 的模型，用 mmap 需 16 分钟，不用则不到 1 分钟</translation>
    </message>
    <message>
        <source>{0}: a local disk caches what was read, out of the page cache's sight</source>
        <translation>{0}：本地磁盘会缓存读过的内容，页缓存看不到</translation>
    </message>
    <message>
        <source>{0}: about a minute a block from a hard disk</source>
        <translation>{0}：从机械硬盘加载每个块约需一分钟</translation>
    </message>
    <message>
        <source>{0}: connections that share the load</source>
        <translation>{0}：分担负载的连接数</translation>
    </message>
    <message>
        <source>{0}: every access asks the server whether the file changed</source>
        <translation>{0}：每次访问都询问服务器文件是否改变</translation>
    </message>
    <message>
        <source>{0}: every byte is decrypted by the CPU</source>
        <translation>{0}：每个字节都由 CPU 解密</translation>
    </message>
    <message>
        <source>{0}: every read notes its time on the disk</source>
        <translation>{0}：每次读取都会把时间写到磁盘</translation>
    </message>
    <message>
        <source>{0}: everything was read through the page cache.</source>
        <translation>{0}：全部内容都经页缓存读取。</translation>
    </message>
    <message>
        <source>{0}: files written since are decompressed by the CPU</source>
        <translation>{0}：此后写入的文件由 CPU 解压</translation>
    </message>
    <message>
        <source>{0}: general.alignment is {1}; a power of two from 1 to {2:n} is possible.</source>
        <translation>{0}：general.alignment 是 {1}；可能的值为 1 到 {2} 的 2 的幂。</translation>
    </message>
    <message>
        <source>{0}: how far the client reads ahead</source>
        <translation>{0}：客户端的预读距离</translation>
    </message>
    <message>
        <source>{0}: large reads suffer from every lost packet</source>
        <translation>{0}：大块读取会受每个丢包影响</translation>
    </message>
    <message>
        <source>{0}: maps the host's memory: the page cache here is bypassed</source>
        <translation>{0}：映射宿主机的内存：绕过本机的页缓存</translation>
    </message>
    <message>
        <source>{0}: metadata key {1:n} is not UTF-8: {2}.</source>
        <translation>{0}：第 {1} 个元数据键不是 UTF-8：{2}。</translation>
    </message>
    <message>
        <source>{0}: metadata key {1} is there twice.</source>
        <translation>{0}：元数据键 {1} 出现了两次。</translation>
    </message>
    <message>
        <source>{0}: metadata_kv_count is {1:n}; at most {2:n} pairs are possible.</source>
        <translation>{0}：metadata_kv_count 是 {1}，最多可能有 {2} 对。</translation>
    </message>
    <message>
        <source>{0}: nothing stays cached: every load goes to the host</source>
        <translation>{0}：不保留缓存：每次加载都访问宿主机</translation>
    </message>
    <message>
        <source>{0}: nothing stays cached: every load goes to the server</source>
        <translation>{0}：不保留缓存：每次加载都访问服务器</translation>
    </message>
    <message>
        <source>{0}: reads bypass the page cache: there is no warm start</source>
        <translation>{0}：读取绕过页缓存：没有热启动</translation>
    </message>
    <message>
        <source>{0}: several connections share the load</source>
        <translation>{0}：多个连接分担负载</translation>
    </message>
    <message>
        <source>{0}: some files of the model are safetensors and some GGUF.</source>
        <translation>{0}：模型的文件有些是 safetensors，有些是 GGUF。</translation>
    </message>
    <message>
        <source>{0}: split.no is {1} and split.count {2}, but by name it is file {3:n} of {4:n}, counted from 0.</source>
        <translation>{0}：split.no 是 {1}，split.count 是 {2}，但按文件名它是 {4} 个文件中的第 {3} 个（从 0 计数）。</translation>
    </message>
    <message>
        <source>{0}: split.tensors.count is {1}, but the files hold {2:n} tensors.</source>
        <translation>{0}：split.tensors.count 是 {1}，但文件中有 {2} 个张量。</translation>
    </message>
    <message>
        <source>{0}: tensor {1} is in {2} and again in {3}.</source>
        <translation>{0}：张量 {1} 在 {2} 中，又出现在 {3} 中。</translation>
    </message>
    <message>
        <source>{0}: tensor {1} starts at byte {2:n}, inside the tensor before it, which ends at {3:n}.</source>
        <translation>{0}：张量 {1} 从第 {2} 字节开始，位于前一个张量之内，而后者在 {3} 处结束。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: data_offsets is [{2:n}, {3:n}], which leaves a hole before it; it must start at {4:n}.</source>
        <translation>{0}：张量 {1}：data_offsets 是 [{2}, {3}]，在它之前留有空洞；必须从 {4} 开始。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: data_offsets is [{2:n}, {3:n}], which overlaps the tensor before it; it must start at {4:n}.</source>
        <translation>{0}：张量 {1}：data_offsets 是 [{2}, {3}]，与前一个张量重叠；必须从 {4} 开始。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: data_offsets is [{2:n}, {3:n}], {4:n} bytes; shape {5} of {6} needs {7:n} bits, not whole bytes.</source>
        <translation>{0}：张量 {1}：data_offsets 是 [{2}, {3}]，共 {4} 字节；形状 {5} 的 {6} 需要 {7} 位，不是整字节。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: data_offsets is [{2:n}, {3:n}], {4:n} bytes; shape {5} of {6} needs {7:n} bytes.</source>
        <translation>{0}：张量 {1}：data_offsets 是 [{2}, {3}]，共 {4} 字节；形状 {5} 的 {6} 需要 {7} 字节。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: data_offsets is [{2:n}, {3:n}]; the end cannot lie before the start.</source>
        <translation>{0}：张量 {1}：data_offsets 是 [{2}, {3}]；结束不能在开始之前。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: dtype is {2}; known are {3}.</source>
        <translation>{0}：张量 {1}：dtype 是 {2}；已知的有 {3}。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: n_dimensions is {2:n}; at most {3:n} is possible.</source>
        <translation>{0}：张量 {1}：n_dimensions 是 {2}，最多可能为 {3}。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: offset is {2:n}; multiples of the alignment {3:n} are possible.</source>
        <translation>{0}：张量 {1}：偏移是 {2}；须是对齐值 {3} 的倍数。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: shape {2} cannot be {3}, which packs rows in groups of {4:n} values.</source>
        <translation>{0}：张量 {1}：形状 {2} 不能是 {3}，它把每行按 {4} 个值分组存放。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: shape {2} is more than any file can hold.</source>
        <translation>{0}：张量 {1}：形状 {2} 超出任何文件所能容纳。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: type is {2:n}; known are {3}.</source>
        <translation>{0}：张量 {1}：类型是 {2}；已知的有 {3}。</translation>
    </message>
    <message>
        <source>{0}: tensor {1}: {2}.</source>
        <translation>{0}：张量 {1}：{2}。</translation>
    </message>
    <message>
        <source>{0}: tensor_count is {1:n}; at most {2:n} are possible.</source>
        <translation>{0}：tensor_count 是 {1}，最多可能为 {2}。</translation>
    </message>
    <message>
        <source>{0}: the file begins with zeros only: an unfinished or damaged copy.</source>
        <translation>{0}：文件开头全是零：这是未完成或损坏的副本。</translation>
    </message>
    <message>
        <source>{0}: the file is big-endian GGUF, for another kind of processor.</source>
        <translation>{0}：这是大端序 GGUF，用于另一类处理器。</translation>
    </message>
    <message>
        <source>{0}: the file is cut off within its header: {1} takes {2:n} bytes at byte {3:n}, {4:n} are left.</source>
        <translation>{0}：文件在文件头内被截断：{1}在第 {3} 字节处需要 {2} 字节，只剩 {4} 字节。</translation>
    </message>
    <message>
        <source>{0}: the file is cut off: its header describes {1} ({2:n} bytes), the file has {3} ({4:n} bytes).</source>
        <translation>{0}：文件被截断：文件头描述了 {1}（{2} 字节），而文件只有 {3}（{4} 字节）。</translation>
    </message>
    <message>
        <source>{0}: the file is empty.</source>
        <translation>{0}：文件是空的。</translation>
    </message>
    <message>
        <source>{0}: the header is not a JSON object: {1}.</source>
        <translation>{0}：文件头不是 JSON 对象：{1}。</translation>
    </message>
    <message>
        <source>{0}: the header length is {1:n}; from 2 to {2} is possible.</source>
        <translation>{0}：文件头长度是 {1}；可能的范围是 2 到 {2}。</translation>
    </message>
    <message>
        <source>{0}: the header length needs {1:n} bytes, the file has {2:n}.</source>
        <translation>{0}：文件头长度字段需要 {1} 字节，而文件只有 {2} 字节。</translation>
    </message>
    <message>
        <source>{0}: the index has {1:n} bytes; at most {2:n} are possible.</source>
        <translation>{0}：索引有 {1} 字节，最多可能为 {2}。</translation>
    </message>
    <message>
        <source>{0}: the length of {1} is {2:n} at byte {3:n}; at most {4:n} is possible.</source>
        <translation>{0}：{1}的长度是 {2}（第 {3} 字节处），最多可能为 {4}。</translation>
    </message>
    <message>
        <source>{0}: the length of {1} is {2:n}; at most {3:n} items are possible.</source>
        <translation>{0}：{1}的长度是 {2}，最多可能有 {3} 项。</translation>
    </message>
    <message>
        <source>{0}: the most that one read asks the cluster for</source>
        <translation>{0}：单次读取向集群请求的上限</translation>
    </message>
    <message>
        <source>{0}: the most that one read asks the host for</source>
        <translation>{0}：单次读取向宿主机请求的上限</translation>
    </message>
    <message>
        <source>{0}: the most that one read asks the server for</source>
        <translation>{0}：单次读取向服务器请求的上限</translation>
    </message>
    <message>
        <source>{0}: the most that one read asks the serving program for</source>
        <translation>{0}：单次读取向提供程序请求的上限</translation>
    </message>
    <message>
        <source>{0}: the name of tensor {1:n} is not UTF-8: {2}.</source>
        <translation>{0}：第 {1} 个张量的名称不是 UTF-8：{2}。</translation>
    </message>
    <message>
        <source>{0}: the type of {1} is {2:n}; possible are {3} string.</source>
        <translation>{0}：{1}的类型是 {2}；可能的有 {3} string。</translation>
    </message>
    <message>
        <source>{0}: this is GGML, the format before GGUF.</source>
        <translation>{0}：这是 GGML，即 GGUF 之前的格式。</translation>
    </message>
    <message>
        <source>{0}: this is HDF5.</source>
        <translation>{0}：这是 HDF5。</translation>
    </message>
    <message>
        <source>{0}: this is a Git LFS pointer, a short text that stands for the real file.</source>
        <translation>{0}：这是 Git LFS 指针，只是代表真实文件的一小段文本。</translation>
    </message>
    <message>
        <source>{0}: this is a PyTorch pickle, which can run code when it is loaded.</source>
        <translation>{0}：这是 PyTorch pickle，加载时可能运行代码。</translation>
    </message>
    <message>
        <source>{0}: this is a web page, probably an error page in place of the model.</source>
        <translation>{0}：这是网页，可能是代替模型的错误页面。</translation>
    </message>
    <message>
        <source>{0}: this is neither safetensors nor GGUF; it begins with {1}.</source>
        <translation>{0}：既不是 safetensors 也不是 GGUF；开头是 {1}。</translation>
    </message>
    <message>
        <source>{0}: this is not an index of safetensors shards: {1}.</source>
        <translation>{0}：这不是 safetensors 分片的索引：{1}。</translation>
    </message>
    <message>
        <source>{0}: this name is not valid UTF-8.</source>
        <translation>{0}：此名称不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{0}: two tensors are called {1}.</source>
        <translation>{0}：有两个张量都名为 {1}。</translation>
    </message>
    <message>
        <source>{0}: weight_map is empty.</source>
        <translation>{0}：weight_map 是空的。</translation>
    </message>
    <message>
        <source>{0}: weight_map names {1}; a .safetensors file beside the index is possible.</source>
        <translation>{0}：weight_map 中列有 {1}；只能是索引旁边的 .safetensors 文件。</translation>
    </message>
    <message>
        <source>{0}: whether files may lie in huge pages</source>
        <translation>{0}：文件是否可以使用大页</translation>
    </message>
    <message>
        <source>{0}: {1:n} bytes after the last tensor belong to no tensor.</source>
        <translation>{0}：最后一个张量之后有 {1} 字节不属于任何张量。</translation>
    </message>
    <message>
        <source>{0}: {1} GT/s × {2} lanes ({3})</source>
        <translation>{0}：{1} GT/s × {2} 通道（{3}）</translation>
    </message>
    <message>
        <source>{0}: {1} GT/s × {2} lanes ({3}), could do {4}</source>
        <translation>{0}：{1} GT/s × {2} 通道（{3}），本可达到 {4}</translation>
    </message>
    <message>
        <source>{0}: {1} GT/s × {2} lanes ({3}), possible {4}</source>
        <translation>{0}：{1} GT/s × {2} 通道（{3}），可达 {4}</translation>
    </message>
    <message>
        <source>{0}: {1} does not map text to text: {2}.</source>
        <translation>{0}：{1} 不是文本到文本的映射：{2}。</translation>
    </message>
    <message>
        <source>{0}: {1} takes {2:n} bytes at byte {3:n}; the file has {4:n} left.</source>
        <translation>{0}：{1}在第 {3} 字节处需要 {2} 字节，而文件只剩 {4} 字节。</translation>
    </message>
    <message>
        <source>{0}└ image</source>
        <translation>{0}└ 映像</translation>
    </message>
</context>
</TS>
